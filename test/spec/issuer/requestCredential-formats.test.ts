import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../../demo/actors/issuer.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { startCallback, type TestCallback } from '../../actors/http-peer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence } from '../../actors/issuance-formats.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { offline } from '../../support/credentials/sd-jwts.ts';
import { useServer } from '../../support/servers/server.ts';
import { readCwtList, readTokenList } from '../../support/status/issued-lists.ts';

const CARD = 'urn:card:1';

/** One way to issue a credential: the operation, its request, what the wallet asks by. */
interface Kind {
  operationId: string;
  request(issuer: Issuer, changes?: JsonObject): JsonObject;
  asked: JsonObject;
  /** The event of a single offer and of a batch, and the member of its data. */
  events: [single: string, batch: string, member: string];
}

describe('requestCredential', () => {
  const server = useServer({
    settings: {
      issuerMetadata: { supportedCredentialTypes: { Card: { format: 'dc+sd-jwt', vct: CARD } } },
    },
  });
  let issuer: Issuer;
  let callback: TestCallback;
  let kinds: Record<string, Kind>;
  before(async () => {
    issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
    callback = await startCallback();
    const frame = { fields: { credentialSubject: { sd: false, children: { fields: { degree: { sd: true } } } } } };
    const sdEvents: Kind['events'] = ['sdjwt_issue', 'batch_sdjwt_issue', 'sdjwt'];
    kinds = {
      'jwt_vc_json with selective disclosure': {
        operationId: 'issueJwtCredential',
        request: (of, changes) => degree(of, { selectiveDisclosure: frame, ...changes }),
        asked: ASKED.degree(),
        events: ['jwt_issue', 'batch_jwt_issue', 'jwt'],
      },
      'vc+sd-jwt': {
        operationId: 'issueSdJwtCredential',
        request: identity,
        asked: ASKED.identity(server),
        events: sdEvents,
      },
      'dc+sd-jwt': {
        operationId: 'issueSdJwtCredential',
        request: (of, changes) => identity(of, { credentialConfigurationId: 'Card', ...changes }),
        asked: { format: 'dc+sd-jwt', vct: CARD },
        events: sdEvents,
      },
      mso_mdoc: {
        operationId: 'issueMdoc',
        request: licence,
        asked: ASKED.licence(),
        events: ['generated_mdoc', 'generated_mdoc', 'mdoc'],
      },
    };
  });
  beforeEach(() => callback.events.splice(0));
  after(() => callback.goAway());

  const headers = () => ({ statusCallbackUri: callback.url });
  const issueTo = async ({ operationId, request, asked }: Kind, changes: JsonObject = {}, holder = makeHolderKey()) => {
    const offer = await makeOffer(server, request(issuer, changes), { operationId, headers: headers() });
    const { status, body } = await claim(server, offer, asked, holder);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.format).to.equal(asked.format);
    return body.credential as string;
  };
  const parse = (kind: Kind, text: string) => testFormats.get(String(kind.asked.format)).codec.parse(text);
  const names = ['jwt_vc_json with selective disclosure', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc'];
  const each = (work: (kind: Kind, name: string) => Promise<void>) => async () => {
    for (const name of names) await work(kinds[name] as Kind, name);
  };

  it(
    '200: a credential of every format is signed by its issuer and bound to the wallet, with what can be withheld',
    each(async (kind, name) => {
      const holder = makeHolderKey();
      const text = await issueTo(kind, {}, holder);
      const parsed = await parse(kind, text);
      expect(await parsed.verifyIssuer(offline), name).to.deep.include({ valid: true });
      const isSdJwt = name !== 'mso_mdoc';
      expect(text.split('~').length > 2, name).to.equal(isSdJwt);
      if (parsed.holder?.jwk) expect(parsed.holder.jwk, name).to.deep.include({ x: holder.jwk.x, y: holder.jwk.y });
      else expect(parsed.subject, name).to.equal(holder.did);
    }),
  );

  for (const operation of ['issueJwtCredential', 'issueSdJwtCredential', 'issueMdoc'])
    for (const isBatch of [false, true])
      it(
        `200: the configuration decides on the format, not the operation ${operation}${isBatch ? 'Batch' : ''}`,
        each(async ({ request, asked }, name) => {
          const json = request(issuer, { credentialFormat: asked.format });
          const offer = isBatch
            ? await makeOffer(server, [json], { operationId: `${operation}Batch` })
            : await makeOffer(server, json, { operationId: operation });
          const { status, body } = await claim(server, offer, asked);
          expect([status, body.format], `${name}: ${JSON.stringify(body)}`).to.deep.equal([200, asked.format]);
          expect(body.credential.includes('~'), name).to.equal(name !== 'mso_mdoc');
        }),
      );

  it('400: a type that no configuration names is refused with the file and the entry that the operator adds', async () => {
    const type = ['VerifiableCredential', 'OwnDegree'];
    const json = degree(issuer, { credentialConfigurationId: undefined, credentialData: { type } });
    const { status, body } = await server.call('issueJwtCredential', { json });
    expect([status, body.details?.[0]?.path]).to.deep.equal([400, '/body/credentialConfigurationId']);
    expect(body.message)
      .to.include('credential-issuer-metadata.conf')
      .and.include('"OwnDegree_jwt_vc_json":{"format":');
  });

  it('400: a credentialFormat other than that of the configuration is refused', async () => {
    const { status, body } = await server.call('issueJwtCredential', {
      json: degree(issuer, { credentialFormat: 'vc+sd-jwt' }),
    });
    expect([status, body.details?.[0]?.path]).to.deep.equal([400, '/body/credentialFormat']);
  });

  it('200: a batch has credentials of every format', async () => {
    const all = names.map((name) => kinds[name] as Kind);
    const batch = all.map(({ request }) => request(issuer));
    for (const { asked } of all) {
      const offer = await makeOffer(server, batch, { operationId: 'issueJwtCredentialBatch' });
      expect((await claim(server, offer, asked)).body.format).to.equal(asked.format);
    }
  });

  it(
    '200: reports each credential as the event of its format, an mdoc in hexadecimal',
    each(async (kind, name) => {
      const [single, batch, member] = kind.events;
      const credential = await issueTo(kind);
      const written = member === 'mdoc' ? Buffer.from(credential, 'base64url').toString('hex') : credential;
      expect(callback.events.at(-1), name).to.deep.include({ type: single, data: { [member]: written } });
      const operationId = `${kind.operationId}Batch`;
      const offer = await makeOffer(server, [kind.request(issuer)], { operationId, headers: headers() });
      expect((await claim(server, offer, kind.asked)).status).to.equal(200);
      expect(callback.events.at(-1)?.type, name).to.equal(batch);
    }),
  );

  it('400: asks for the member of the format, and refuses a type or format that was not offered', async () => {
    const cases: [string, JsonObject, string, string][] = [
      ['vc+sd-jwt', { vct: undefined }, 'invalid_credential_request', 'vct'],
      ['vc+sd-jwt', { vct: CARD }, 'unsupported_credential_type', 'vct'],
      ['vc+sd-jwt', { format: 'dc+sd-jwt' }, 'unsupported_credential_format', 'format'],
      ['vc+sd-jwt', { format: undefined }, 'invalid_credential_request', 'format'],
      [
        'vc+sd-jwt',
        { format: undefined, credential_configuration_id: 'Card' },
        'unsupported_credential_type',
        'credential_configuration_id',
      ],
      ['mso_mdoc', { doctype: undefined }, 'invalid_credential_request', 'doctype'],
      ['mso_mdoc', { doctype: 'org.other.a.b' }, 'unsupported_credential_type', 'doctype'],
    ];
    for (const [name, changes, error, member] of cases) {
      const { operationId, request, asked } = kinds[name] as Kind;
      const offer = await makeOffer(server, request(issuer), { operationId });
      const { status, body } = await claim(server, offer, { ...asked, ...changes });
      expect([status, body.error], `${name} ${member}`).to.deep.equal([400, error]);
      expect(body.error_description).to.include(member);
    }
  });

  it('200: a wallet of a later draft asks by the configuration, in every format', async () => {
    for (const name of names) {
      const { operationId, request, asked } = kinds[name] as Kind;
      const json = request(issuer);
      const offer = await makeOffer(server, json, { operationId });
      const { body } = await claim(server, offer, {
        credential_configuration_id: json.credentialConfigurationId,
      });
      expect(body.format, JSON.stringify(body)).to.equal(asked.format);
    }
  });

  it('200: of a batch of two types each is claimed by its own', async () => {
    const card = identity(issuer, { credentialConfigurationId: 'Card' });
    for (const name of ['dc+sd-jwt', 'vc+sd-jwt']) {
      const kind = kinds[name] as Kind;
      const offer = await makeOffer(server, [identity(issuer), card], { operationId: 'issueSdJwtCredentialBatch' });
      const { type } = await parse(kind, (await claim(server, offer, kind.asked)).body.credential);
      expect(type).to.equal(kind.asked.vct);
    }
  });

  it('200: statusList gives an SD-JWT VC and an mdoc an entry of a list that is served, in which it is valid', async () => {
    const key = { ...issuer.issuerKey.jwk, d: undefined };
    for (const name of ['vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc']) {
      const kind = kinds[name] as Kind;
      const { status } = await parse(kind, await issueTo(kind, { statusList: {} }));
      expect(status, name).to.have.length(1);
      expect(status[0]?.kind).to.equal('status_list');
      const [{ uri = '', idx = Number.NaN } = {}] = status.map(({ value }) => value as { uri?: string; idx?: number });
      await server.call('getStatusList', { path: { id: uri.split('/').at(-1) ?? '' } });
      const answer = await fetch(uri);
      expect(answer.status, name).to.equal(200);
      const isCwt = name === 'mso_mdoc';
      expect(answer.headers.get('content-type')).to.equal(`application/statuslist+${isCwt ? 'cwt' : 'jwt'}`);
      const list = isCwt
        ? readCwtList(new Uint8Array(await answer.arrayBuffer()), key)
        : await readTokenList(await answer.text(), key);
      expect(list.status(idx), name).to.equal(0);
    }
  });

  it('200: the mapping sets claims of an SD-JWT VC and elements of an mdoc', async () => {
    const [card, mdl] = [kinds['vc+sd-jwt'] as Kind, kinds.mso_mdoc as Kind];
    const claims = { mapping: { 'jwt:nickname': '<uuid>' }, sdJwtCredentialClaims: { email: 'ada@example.org' } };
    const identified = await parse(card, await issueTo(card, claims));
    expect(identified.claims).to.include({ email: 'ada@example.org' }).and.have.property('nickname');
    const licensed = await parse(
      mdl,
      await issueTo(mdl, { mapping: { [MDL.namespace]: { document_number: '<uuid>' } } }),
    );
    expect(licensed.claims).to.have.nested.property(`${MDL.namespace.replaceAll('.', '\\.')}.document_number`);
  });
});
