import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { signJws } from '../../../domain/jose/jws.ts';
import type { CredentialContent, Handover } from '../../../ports/credential-formats.ts';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { keyParty } from '../../actors/party.ts';
import {
  HOLDER,
  issueOf,
  LICENCE,
  MDL_NAMESPACE,
  MDOC_NONCE,
  OTHER,
  type Presenter,
  presentOf,
  requestedOf,
  responseOf,
  TRUSTED_ROOT,
} from '../../actors/presenters.ts';
import { type EnterpriseFixture, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { DEGREE_REQUEST, type PolicyLine, VerificationFixture } from '../../actors/verification.ts';
import { responseKeyOf } from '../../actors/wallet.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { presentMdocs } from '../../support/credentials/mdoc-presenter.ts';

// biome-ignore lint/suspicious/noExplicitAny: sessions have any member
type Json = Record<string, any>;

type Format = 'jwt_vc_json' | 'vc+sd-jwt' | 'dc+sd-jwt' | 'mso_mdoc';

const { did, kid, signer } = HOLDER;
const jwk = signer.publicJwk;

/** A W3C credential of these members whose subject is not the holder's DID. */
const degree = (claims: Json, subject: Json = {}): Partial<CredentialContent> => ({
  document: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'Degree'],
    credentialSubject: { degree: 'Bachelor', ...subject },
  },
  holder: {},
  claims,
});

const ofSdJwt = {
  'cnf jwk': { holder: { jwk } },
  'cnf kid': { holder: { did } },
  none: { holder: {}, claims: { sub: did } },
};

/** How credentials of each format can be bound to their holder. */
const FORMS: Record<Format, Record<string, Partial<CredentialContent>>> = {
  jwt_vc_json: {
    'subject DID': {},
    'cnf jwk': degree({ cnf: { jwk } }),
    'cnf kid': degree({ cnf: { kid } }),
    "cnf jwk beside another's DID": degree({ cnf: { jwk } }, { id: OTHER.did }),
    none: degree({}),
    'no DID': degree({}, { id: 'urn:example:ada' }),
  },
  'vc+sd-jwt': ofSdJwt,
  'dc+sd-jwt': ofSdJwt,
  mso_mdoc: { 'device key': {} },
};

const CASES = Object.entries(FORMS).flatMap(([format, forms]) =>
  Object.entries(forms).map(([form, changes]) => ({
    format: format as Format,
    form,
    changes,
    isBound: form !== 'none' && form !== 'no DID',
  })),
);

/** What a presentation is for. */
interface Bound {
  nonce: string;
  audience: string;
  handover: Handover;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Presents a credential with the key of `by`, regardless of whose it is. */
async function present(format: Format, credential: string, by: Presenter, bound: Bound): Promise<string> {
  const { nonce, audience, handover, now } = bound;
  // Our codec refuses to sign for another holder.
  if (format === 'mso_mdoc')
    return presentMdocs([credential], { handover }, { ...signer, sign: (data) => by.signer.sign(data) });
  if (format === 'jwt_vc_json') {
    const content = { id: 'urn:uuid:0', credentials: [{ document: credential }], holder: by, nonce, audience, now };
    return testFormats.presentable(format).presentations.present(content, by.signer);
  }
  const sd_hash = createHash('sha256').update(credential).digest('base64url');
  const claims = { iat: Math.floor(now / 1000), aud: audience, nonce, sd_hash };
  return `${credential}${await signJws({ typ: 'kb+jwt', kid: by.kid }, claims, by.signer)}`;
}

const META: Partial<Record<Format, Json>> = {
  jwt_vc_json: { type_values: [['Degree']] },
  'dc+sd-jwt': { vct_values: ['https://types.example/identity'] },
  mso_mdoc: { doctype_value: LICENCE },
};

describe('holder binding: the presenter has the key that the credential is bound to', () => {
  let world: EnterpriseFixture;
  const verifiers = new Map<string, Openid4vp>();
  before(async () => {
    world = await startEnterprise({ trustedIssuers: { certificates: [TRUSTED_ROOT] } });
    verifiers.set('open', await Openid4vp.with(world.server));
    verifiers.set('tenant', await Openid4vp.with(world.server, { target: VERIFIER, token: world.root }));
  });
  after(() => world.close());

  /** Issues a credential by the clock of the server. */
  const issue = (format: Format, changes: Partial<CredentialContent> = {}): Promise<string> =>
    issueOf(format, { ...changes, issuedAt: Math.floor(world.server.clock.now() / 1000) * 1000 });

  /** The session after `by` presented a credential for a query. */
  async function outcome(place: string, format: Format, credential: string, by: Presenter, more: Json = {}) {
    const vp = verifiers.get(place) as Openid4vp;
    const claims = format === 'mso_mdoc' ? { claims: [{ path: [MDL_NAMESPACE, 'family_name'] }] } : {};
    const query = { id: 'card', format, meta: META[format], ...claims, ...more };
    const created = await vp.create(crossDevice({ dcql_query: { credentials: [query] } }));
    const request = await vp.request(created);
    const { nonce, client_id: clientId, response_uri: responseUri, state } = request.parameters;
    const handover: Handover = { kind: 'redirect', clientId, responseUri, nonce };
    const token = await present(format, credential, by, {
      nonce,
      audience: clientId,
      handover,
      now: world.server.clock.now(),
    });
    await vp.respond(request, { vp_token: { card: [token] }, state });
    return vp.info(created);
  }

  for (const place of ['open', 'tenant'])
    for (const { format, form, changes, isBound } of CASES.filter(({ format }) => META[format]))
      it(`OpenID4VP 1.0, ${place}, ${format}, ${form}`, async () => {
        const credential = await issue(format, changes);
        const check = `${format}/holder-binding-check`;
        const shownTo = async (by: Presenter) => {
          const session = await outcome(place, format, credential, by);
          return [session.status, session.policy_results.vp_policies.card[check].success];
        };
        const own = await shownTo(HOLDER);
        expect(own).to.deep.equal(isBound ? ['SUCCESSFUL', true] : ['FAILED', false]);
        expect(await shownTo(OTHER)).to.deep.equal(['FAILED', false]);
      });

  it('OpenID4VP 1.0: a credential that is bound to nothing passes where the query waives it', async () => {
    const waived = { require_cryptographic_holder_binding: false };
    const credential = await issue('jwt_vc_json', FORMS.jwt_vc_json.none);
    expect((await outcome('open', 'jwt_vc_json', credential, OTHER, waived)).status).to.equal('SUCCESSFUL');
    const { failure } = await outcome('open', 'jwt_vc_json', credential, OTHER);
    expect(failure.failed_policies).to.deep.equal(['card/jwt_vc_json/holder-binding-check']);
  });

  describe('the drafts', () => {
    const on = new VerificationFixture();

    /** The failed policies of a presentation by `by` of credentials of one format. */
    async function broken(format: Format, documents: string[], by: Presenter, policies: string[]): Promise<string[]> {
      const request = await on.ask({
        request_credentials: [requestedOf(format)],
        vp_policies: policies,
        trusted_root_cas: [TRUSTED_ROOT],
      });
      const { nonce, clientId, params } = request;
      const responseUri = params.get('response_uri') ?? '';
      const handover: Handover = { kind: 'draft', clientId, responseUri, nonce, mdocNonce: MDOC_NONCE };
      const [first = ''] = documents;
      const token =
        documents.length === 1
          ? await present(format, first, by, { nonce, audience: clientId, handover, now: on.server.clock.now() })
          : (await presentOf(format, request, { documents, holder: by })).token;
      const { entry } = await presentOf(format, request);
      const parameters = responseOf([{ token, entry }], request);
      const key = responseKeyOf(request);
      const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
      const form = key
        ? { response: await encryptedResponse(parameters, key, { apu: MDOC_NONCE }) }
        : Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, text(value)]));
      const { status, body } = await on.server.call('submitPresentation', { path: { state: request.state }, form });
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 400]);
      const { policyResults } = await on.session(request);
      const lines: PolicyLine[] = policyResults.results.flatMap(({ policies: of }: { policies: PolicyLine[] }) => of);
      return lines.flatMap(({ policy, is_success: isSuccess }) => (isSuccess ? [] : policy));
    }

    for (const { format, form, changes, isBound } of CASES)
      it(`with the policy holder-binding: ${format}, ${form}`, async () => {
        const documents = [await issue(format, changes)];
        const policies = ['signature', 'holder-binding'];
        const own = await broken(format, documents, HOLDER, policies);
        if (isBound) expect(own).to.deep.equal([]);
        else expect(own).to.include('holder-binding');
        expect(await broken(format, documents, OTHER, policies)).to.include('holder-binding');
      });

    it('of several credentials in one presentation each one is judged', async () => {
      const own = await issue('jwt_vc_json');
      const foreign = await issue('jwt_vc_json', degree({ cnf: { jwk: OTHER.signer.publicJwk } }));
      const policies = ['signature', 'holder-binding'];
      expect(await broken('jwt_vc_json', [own, own], HOLDER, policies)).to.deep.equal([]);
      for (const documents of [
        [own, foreign],
        [foreign, own],
      ])
        expect(await broken('jwt_vc_json', documents, HOLDER, policies)).to.deep.equal(['holder-binding']);
    });

    describe('with requireHolderBinding of verifier-service.conf', () => {
      const demanding = new VerificationFixture({ settings: { verifier: { requireHolderBinding: true } } });

      it('the presenter must be the holder, whether the request says so or not', async () => {
        const [own, other] = [await demanding.outcome(DEGREE_REQUEST), await keyParty()];
        expect(own.verificationResult).to.equal(true);
        for (const more of [{}, { vp_policies: [] }]) {
          const stolen = await demanding.outcome({ ...DEGREE_REQUEST, ...more }, { holder: other });
          const [{ policies }] = stolen.policyResults.results;
          expect(policies.filter(({ is_success: isSuccess }: PolicyLine) => !isSuccess)).to.have.length(1);
          expect(policies.at(-1)).to.include({ policy: 'holder-binding', code: 'holder-mismatch' });
        }
      });
    });

    it('without the policy, the signature of a W3C presentation says nothing about the holder', async () => {
      const documents = [await issue('jwt_vc_json')];
      expect(await broken('jwt_vc_json', documents, OTHER, ['signature'])).to.deep.equal([]);
    });
  });
});
