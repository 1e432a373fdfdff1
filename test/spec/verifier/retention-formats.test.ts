import { inspect } from 'node:util';
import { expect } from 'chai';
import { degreeData } from '../../../demo/actors/issuer.ts';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { readRequest } from '../../actors/wallet.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { until } from '../../support/runs/waiting.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { SecretSweep } from '../../support/secrets/secret-sweep.ts';
import { useServer } from '../../support/servers/server.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: sessions are read in any member
type Json = Record<string, any>;

const SHOP = 'acme.t1.shop';

/** A format: the request of an issuance, and how both generations ask for the claim `name`. */
interface FormatRow {
  issued(name: string): Json;
  /** The path of the claim in a definition. */
  field: string;
  /** Its path for policies. */
  path: string;
  query: Json;
  claim: string[];
}

const FORMATS: Record<string, FormatRow> = {
  jwt_vc_json: {
    issued: (name) => ({ credentialData: degreeData({ degree: { name } }) }),
    field: '$.vc.credentialSubject.degree.name',
    path: '$.credentialSubject.degree.name',
    query: { meta: { type_values: [['VerifiableCredential', 'UniversityDegree']] } },
    claim: ['credentialSubject', 'degree', 'name'],
  },
  'dc+sd-jwt': {
    issued: (given_name) => ({ credentialData: { given_name, country: 'GB' }, selectiveDisclosure: undefined }),
    field: '$.given_name',
    path: '$.given_name',
    query: { meta: { vct_values: ['urn:card:1'] } },
    claim: ['given_name'],
  },
  mso_mdoc: {
    issued: (family_name) => ({ mdocData: { [MDL.namespace]: { family_name } } }),
    field: `$['${MDL.namespace}']['family_name']`,
    path: `$.nameSpaces['${MDL.namespace}'].family_name`,
    query: { meta: { doctype_value: MDL.docType } },
    claim: [MDL.namespace, 'family_name'],
  },
};

/** Policies whose lines quote the claim, by whether it meets them. */
const OUTCOMES = { verified: '.*', refused: '^x$' };

/** A verifier, with what its session is called and shows. */
interface Verifier {
  /** Creates a session that asks for a claim of this value, with a policy that quotes it; returns its link and its name. */
  ask(format: string, value: string, regex: string): Promise<{ link: string; id: string }>;
  result(id: string): Promise<Json>;
  /** The handle that stays of the one credential. */
  handleIn(result: Json): Json;
  /** What its events say. */
  events(id: string): Promise<string>;
}

describe('what was presented and handed over', () => {
  const issuing = useServer({ settings: CARD_SETTINGS });
  const records = new WrittenRecords();
  const hook = new HttpPeer();
  let world: EnterpriseFixture;
  before(async () => {
    await hook.listen();
    const settings = {
      trustedIssuers: { certificates: [iaca.pem] },
      verifier: { presentedData: 'deleteOnHandover' as const },
    };
    world = await startEnterprise(settings, { wrapStore: (store) => records.wrap(store) });
    await world.post('createService', SHOP, { type: 'verifier2', presentedData: 'deleteOnHandover' });
  });
  after(async () => {
    await world.close();
    await hook.close();
  });

  /** The endpoints of the drafts. */
  const ofDrafts = async (): Promise<Verifier> => ({
    ask: async (format, value, regex) => {
      const id = format === 'mso_mdoc' ? MDL.docType : 'q';
      const fields = [{ path: [FORMATS[format]?.field], filter: { const: value } }];
      const limited = { fields, ...(format !== 'jwt_vc_json' && { limit_disclosure: 'required' }) };
      const json = {
        vp_policies: ['signature', 'presentation-definition'],
        vc_policies: ['signature', { policy: 'regex', args: { path: FORMATS[format]?.path, regex } }],
        trusted_root_cas: [iaca.pem],
        request_credentials: [{ format, input_descriptor: { id, format: { [format]: {} }, constraints: limited } }],
      };
      const responseMode = format === 'mso_mdoc' ? 'direct_post.jwt' : 'direct_post';
      const { status, body } = await world.server.call('startVerification', { json, headers: { responseMode } });
      expect(status, JSON.stringify(body)).to.equal(200);
      return { link: body, id: readRequest(body).state };
    },
    result: async (state) => (await world.server.call('getVerificationResult', { path: { state } })).body,
    handleIn: ({ credentialHandles: [handle] }) => handle,
    // Their one callback is a hand-over itself.
    events: async () => '',
  });

  /** The endpoints of OpenID4VP 1.0, open ones or those of a tenant. */
  const ofOpenid4vp = async (tenant?: string): Promise<Verifier> => {
    const vp = await Openid4vp.with(
      world.server,
      tenant === undefined ? undefined : { target: tenant, token: world.root },
    );
    return {
      ask: async (format, value, regex) => {
        const { query, claim } = FORMATS[format] as FormatRow;
        const dcql_query = { credentials: [{ id: 'q', format, ...query, claims: [{ path: claim, values: [value] }] }] };
        const notifications = { webhook: { url: `${hook.url}/events` } };
        const policies = { vc_policies: ['signature', { policy: 'regex', path: FORMATS[format]?.path, regex }] };
        const created = await vp.create(crossDevice({ dcql_query, policies, notifications }));
        return { link: created.bootstrapAuthorizationRequestUrl, id: created.sessionId };
      },
      result: (sessionId) => vp.info({ sessionId }),
      handleIn: ({ presented_credentials: { q } }) => q[0],
      events: async (sessionId) => {
        await until(() => hook.seen.some(({ body }) => body.includes(sessionId) && /SUCCESSFUL|FAILED/.test(body)));
        return [...(await vp.events({ sessionId })), ...hook.seen.map(({ body }) => body)].join('\n');
      },
    };
  };

  const VERIFIERS: Record<string, () => Promise<Verifier>> = {
    getVerificationResult: ofDrafts,
    getVerificationSession: () => ofOpenid4vp(),
    tenantGetVerificationSession: () => ofOpenid4vp(SHOP),
  };

  const CASES = Object.keys(FORMATS).flatMap((format) =>
    (['verified', 'refused'] as const).map((outcome) => [format, outcome] as const),
  );
  for (const [operationId, verifierOf] of Object.entries(VERIFIERS))
    describe(operationId, () => {
      for (const [format, outcome] of CASES)
        it(`200: of ${format} that is ${outcome}, once; then only a handle is left, with which it is revoked`, async () => {
          const sweep = new SecretSweep();
          const name = sweep.plant('a claim', canary());
          const changes = { [format]: { ...FORMATS[format]?.issued(name), statusList: {} } };
          const { holder, ids }: HolderOfAll = await holderOfAll(issuing, changes);
          const verifier = await verifierOf();
          const { link: presentationRequest, id } = await verifier.ask(format, name, OUTCOMES[outcome]);
          const json = { presentationRequest, selectedCredentials: [ids[format]] };
          const { status, body } = await holder.call('presentCredentials', { json });
          expect([200, outcome === 'refused' && 400], JSON.stringify(body)).to.include(status);
          const { settings, clock, lines } = world.server;
          expect(sweep.namesIn(await records.opened(settings, clock.now))).to.deep.equal(['a claim']);
          const first = JSON.stringify(await verifier.result(id));
          expect(sweep.namesIn([first])).to.deep.equal(['a claim']);
          expect(first.includes('pattern-mismatch')).to.equal(outcome === 'refused');
          const later = await verifier.result(id);
          const path = { target: 'acme' };
          const audit = [
            await world.server.call('listAuditEvents', { path, token: world.root }),
            await world.server.call('exportAuditEvents', { path, token: world.root }),
            await world.server.call('exportInstallationEvents', { token: world.root }),
          ];
          sweep.note('a later answer', JSON.stringify(later));
          sweep.note('store', (await records.opened(settings, clock.now)).join('\n'));
          sweep.note('log', inspect(lines, { depth: 12, maxStringLength: null }));
          sweep.note('metrics', (await world.server.call('getMetrics')).body);
          sweep.note('events', await verifier.events(id));
          sweep.note('audit', JSON.stringify(audit.map((answer) => answer.body)));
          expect(sweep.sightings()).to.deep.equal([]);
          const [entry] = verifier.handleIn(later).status;
          const [list, index] = [entry.statusListCredential ?? entry.uri, entry.statusListIndex ?? entry.idx];
          const listId = new URL(list).pathname.split('/').at(-1) ?? '';
          const revoke = { path: { listId, index: String(index) }, json: { action: 'revoke' } };
          expect((await issuing.call('changeStatusEntry', revoke)).body.status).to.equal('revoked');
        });
    });
});
