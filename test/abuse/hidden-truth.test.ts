import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { didKey } from '../../domain/dids/did-methods.ts';
import { signJws } from '../../domain/jose/jws.ts';
import type { Signer } from '../../ports/key-service.ts';
import { issueOf, presentOf, requestedOf } from '../actors/presenters.ts';
import { VerificationFixture } from '../actors/verification.ts';
import type { WalletRequest } from '../actors/wallet.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { contentOf, disclosure, newSigner, signSdJwt } from '../support/credentials/sd-jwts.ts';

type Json = Record<string, unknown>;

const STATUS = { idx: 7, uri: 'https://lists.example/1' };
const IDENTITY = 'https://types.example/identity';

describe('hidden truth: an issuer that lets the holder withhold what is always disclosed', () => {
  const on = new VerificationFixture();
  let [issuer, holder]: Signer[] = [];

  before(async () => {
    [issuer, holder] = await Promise.all([newSigner(), newSigner()]);
  });

  const of = (signer: Signer | undefined): Signer => signer ?? expect.fail('no signer');

  /** The status with which a request with the policy of status lists is answered. */
  async function presented(requested: Json, tokenFor: (request: WalletRequest) => Promise<string>, vp: object[] = []) {
    const json = { request_credentials: [requested], vc_policies: ['signature', 'revoked-status-list'] };
    const request = await on.ask(json);
    const { format } = requested;
    const definition = await on.definition(request);
    const [{ id }] = definition.input_descriptors;
    const entry = { id, format, path: '$', ...Object.assign({}, ...vp) };
    const submission = { id: 'submission', definition_id: definition.id, descriptor_map: [entry] };
    const form = {
      vp_token: await tokenFor(request),
      presentation_submission: JSON.stringify(submission),
      state: request.state,
    };
    const { status, body } = await on.server.call('submitPresentation', { path: { state: request.state }, form });
    return { status, why: body?.error_description as string };
  }

  /** An SD-JWT VC under a Key Binding JWT of its holder. */
  const withKey = async (sdJwt: string, { nonce, clientId: aud }: WalletRequest): Promise<string> => {
    const sd_hash = createHash('sha256').update(sdJwt).digest('base64url');
    const claims = { iat: Math.floor(Date.now() / 1000), nonce, aud, sd_hash };
    return `${sdJwt}${await signJws({ typ: 'kb+jwt' }, claims, of(holder))}`;
  };

  it('an SD-JWT VC: refused with the disclosure and without it, and no wallet stores it', async () => {
    const cnf = { jwk: of(holder).publicJwk };
    const card = (claims: Json, disclosures: string[] = []) =>
      signSdJwt(of(issuer), { vct: IDENTITY, cnf, ...claims }, { disclosures, header: { typ: 'vc+sd-jwt' } });
    const requested = requestedOf('vc+sd-jwt');
    const honest = await card({ birthdate: '1815-12-10' });
    const { status } = await presented(requested, (request) => withKey(honest, request));
    expect(status).to.equal(200);

    const list = disclosure('status_list', STATUS);
    const idx = disclosure('idx', 7);
    const jwk = disclosure('jwk', cnf.jwk);
    const x = disclosure('x', cnf.jwk.x);
    const type = disclosure('https://types.example/other');
    const hidden: [string, Json, { text: string }][] = [
      ['status', { status: { _sd: [list.digest] } }, list],
      ['status', { status: { status_list: { uri: STATUS.uri, _sd: [idx.digest] } } }, idx],
      ['cnf', { cnf: { _sd: [jwk.digest] } }, jwk],
      ['cnf', { cnf: { jwk: { ...cnf.jwk, x: undefined, _sd: [x.digest] } } }, x],
      ['aka_vcts', { aka_vcts: [IDENTITY, { '...': type.digest }] }, type],
    ];
    for (const [claim, claims, { text }] of hidden)
      for (const shown of [[], [text]]) {
        const made = await card(claims, shown);
        const answer = await presented(requested, (request) => withKey(made, request));
        expect([answer.status, answer.why], JSON.stringify(claims)).to.deep.equal([
          400,
          `vp_token: The credential: ${claim} may not be selectively disclosable, in whole or in part`,
        ]);
        const refusal = await testFormats
          .get('vc+sd-jwt')
          .codec.parse(made)
          .catch(({ message }) => message);
        expect(refusal).to.include(`${claim} may not be selectively disclosable`);
      }
  });

  it('a W3C credential: refused with the disclosure, without it, and as a JWT without any', async () => {
    const did = didKey(of(issuer).publicJwk);
    const kid = `${did}#${did.slice('did:key:'.length)}`;
    const card = async (vc: Json, disclosures: string[] | undefined) => {
      const document = {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'Degree'],
        credentialSubject: {},
        ...vc,
      };
      const claims = { iss: did, nbf: Math.floor(Date.now() / 1000) - 9, vc: document };
      const token = await signJws({ typ: 'JWT', kid }, claims, of(issuer));
      return disclosures ? [token, ...disclosures, ''].join('~') : token;
    };
    const requested = requestedOf('jwt_vc_json');
    const vp = [
      { format: 'jwt_vp_json', path_nested: { format: 'jwt_vc_json', path: '$.vp.verifiableCredential[0]' } },
    ];
    const answered = (document: string) =>
      presented(
        requested,
        async (request) => (await presentOf('jwt_vc_json', request, { documents: [document] })).token,
        vp,
      );
    const degree = disclosure('name', 'Ada');
    for (const shown of [[], [degree.text]])
      expect((await answered(await card({ _sd: [degree.digest] }, shown))).status).to.equal(200);

    const entry = disclosure('statusListIndex', '7');
    const item = disclosure(STATUS);
    const name = disclosure('id', did);
    const hidden: [string, Json, { text: string }][] = [
      ['vc.credentialStatus', { credentialStatus: { type: 'BitstringStatusListEntry', _sd: [entry.digest] } }, entry],
      ['vc.credentialStatus', { credentialStatus: [{ '...': item.digest }] }, item],
      ['vc.issuer', { issuer: { _sd: [name.digest] } }, name],
    ];
    for (const [claim, vc, { text }] of hidden)
      for (const shown of [undefined, [], [text]]) {
        const answer = await answered(await card(vc, shown));
        expect([answer.status, answer.why], JSON.stringify(vc)).to.deep.equal([
          400,
          `vp_token: credential 0: The credential: ${claim} may not be selectively disclosable, in whole or in part`,
        ]);
      }
    for (const claim of ['credentialStatus', 'issuer', 'type', 'expirationDate']) {
      const { text, digest } = disclosure(claim, {});
      const made = await card({ [claim]: undefined, _sd: [digest] }, [text]);
      const refusal = await testFormats.parse(made).catch(({ message }) => message);
      expect(refusal).to.include(`vc.${claim} may not be selectively disclosable`);
    }
  });

  it('a card of ours is not made so, regardless of its data', async () => {
    const content = contentOf(of(issuer), { status: { status_list: { _sd: ['x'] } } });
    const issued = testFormats.get('dc+sd-jwt').codec.issue(content, of(issuer));
    expect(await issued.catch(({ message }) => message)).to.include('status may not be selectively disclosable');
    const document = { '@context': [], type: ['VerifiableCredential', 'Degree'], credentialStatus: { _sd: ['x'] } };
    const degree = await issueOf('jwt_vc_json', { document }).catch(({ message }) => message);
    expect(degree).to.include('vc.credentialStatus may not be selectively disclosable');
  });
});
