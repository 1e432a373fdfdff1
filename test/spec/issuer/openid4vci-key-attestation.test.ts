import { expect } from 'chai';
import { type HolderKey, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { KeyAttester } from '../../actors/key-attester.ts';
import { FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { type Answer, startServer } from '../../support/servers/server.ts';

const ES256 = { proof_signing_alg_values_supported: ['ES256'] };
const REQUIRED = { key_storage: ['iso_18045_high', 'iso_18045_moderate'], user_authentication: ['iso_18045_moderate'] };
const configuration = (proof_types_supported: object) => ({
  format: 'dc+sd-jwt',
  vct: 'urn:example:card',
  proof_types_supported,
});
const supportedCredentialTypes = {
  Card: configuration({ jwt: { ...ES256, key_attestations_required: REQUIRED }, attestation: ES256 }),
  Plain: configuration({ jwt: ES256 }),
};
const outcome = ({ status, body }: Answer) => [status, body.error];
const keysOf = ({ body }: Answer) =>
  body.credentials.map(({ credential }: { credential: string }) => decodeJwt(credential).claims.cnf.jwk.x);
const xOf = (holders: HolderKey[]) => holders.map(({ jwk }) => jwk.x);

describe('OpenID4VCI 1.0, key attestations', () => {
  const attester = new KeyAttester();
  const holders = [makeHolderKey(), makeHolderKey(), makeHolderKey()];
  const [first] = holders as [HolderKey];
  let issuance: FinalIssuance;
  before(async () => {
    const issuerMetadata = { supportedCredentialTypes, keyAttesters: [attester.trusted], batchSize: 4 };
    issuance = await FinalIssuance.start({ settings: { issuerMetadata } });
  });
  after(() => issuance.close());

  const access = (credentialConfigurationId = 'Card') =>
    issuance.access({ content: { ...issuance.issuer, credentialConfigurationId, credentialData: { level: 'gold' } } });
  const attest = (keys: HolderKey[], changes: Parameters<KeyAttester['attest']>[2] = {}) =>
    attester.attest(issuance.server, keys, changes);
  const claim = (token: string, proofs: object, id = 'Card') =>
    issuance.claim(token, { credential_configuration_id: id, proofs });
  /** A proof of one key with an attestation, named by its JWK unless `header` says otherwise. */
  const proof = (holder: HolderKey, nonce: string, header: object) =>
    issuance.proof(holder, { nonce, header: { kid: undefined, jwk: holder.jwk, ...header } });

  it('the metadata says what is demanded; the drafts do not offer such a credential', async () => {
    const { body } = await issuance.server.call('getOpenid4vciIssuerMetadata');
    expect(body.credential_configurations_supported.Card.proof_types_supported).to.deep.equal({
      jwt: { ...ES256, key_attestations_required: REQUIRED },
      attestation: ES256,
    });
    expect(body.batch_credential_issuance).to.deep.equal({ batch_size: 4 });
    const draft = await issuance.server.call('getIssuerMetadata');
    expect(draft.body.credential_configurations_supported).to.include.keys('Plain').and.not.have.any.keys('Card');
  });

  it('200: a credential for each attested key, in their order, though one key proved itself', async () => {
    for (const [header, signer] of [
      [{}, holders[1]],
      [{ jwk: undefined, kid: '2' }, holders[2]],
    ] as const) {
      const fresh = await issuance.nonce();
      const jwt = [proof(signer as HolderKey, fresh, { key_attestation: attest(holders), ...header })];
      const answer = await claim(await access(), { jwt });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(keysOf(answer)).to.deep.equal(xOf(holders));
    }
    const nonce = await issuance.nonce();
    const bound = attest(holders, { claims: { nonce } });
    const answer = await claim(await access(), { jwt: [proof(first, nonce, { key_attestation: bound })] });
    expect(answer.body.credentials).to.have.length(3);
  });

  it('200: several proofs with one attestation get one credential for each key', async () => {
    const nonce = await issuance.nonce();
    const key_attestation = attest(holders);
    const jwt = holders.map((holder) => proof(holder, nonce, { key_attestation }));
    expect(keysOf(await claim(await access(), { jwt }))).to.deep.equal(xOf(holders));
  });

  it('200: the attestation alone is the proof, once for its nonce; the answer can be asked for again', async () => {
    const token = await access();
    const attestation = [attest(holders, { claims: { nonce: await issuance.nonce(), exp: undefined } })];
    const answer = await claim(token, { attestation });
    expect(keysOf(answer)).to.deep.equal(xOf(holders));
    expect(outcome(await claim(await access(), { attestation }))).to.deep.equal([400, 'invalid_nonce']);
    const again = [attest(holders, { claims: { nonce: await issuance.nonce() } })];
    expect((await claim(token, { attestation: again })).body).to.deep.equal(answer.body);
  });

  it('200: where none is demanded, a proof without one; one that is sent must be good', async () => {
    const nonce = await issuance.nonce();
    const jwt = [proof(first, nonce, { key_attestation: attest(holders, { key: makeHolderKey() }) })];
    const token = await access('Plain');
    expect(outcome(await claim(token, { jwt }, 'Plain'))).to.deep.equal([400, 'invalid_proof']);
    expect(keysOf(await claim(token, { jwt: [proof(first, nonce, {})] }, 'Plain'))).to.deep.equal(xOf([first]));
    const attestation = [attest(holders, { claims: { nonce: await issuance.nonce() } })];
    const other = await access('Plain');
    expect(outcome(await claim(other, { attestation }, 'Plain'))).to.deep.equal([400, 'invalid_proof']);
  });

  const stranger = makeHolderKey();
  const refused: [string, (nonce: string) => object, string][] = [
    ['no attestation', () => ({ key_attestation: undefined }), 'invalid_proof'],
    ['one that is no text', () => ({ key_attestation: {} }), 'invalid_proof'],
    ['one by an unknown attester', () => ({ key_attestation: attest(holders, { key: stranger }) }), 'invalid_proof'],
    ['one with a changed signature', () => ({ key_attestation: changed(attest(holders)) }), 'invalid_proof'],
    ['one of other keys', () => ({ key_attestation: attest([stranger]) }), 'invalid_proof'],
    ['one that has ended', () => ({ key_attestation: attest(holders, { claims: { exp: 1 } }) }), 'invalid_proof'],
    [
      'one without an end',
      () => ({ key_attestation: attest(holders, { claims: { exp: undefined } }) }),
      'invalid_proof',
    ],
    [
      'weak storage',
      () => ({ key_attestation: attest(holders, { claims: { key_storage: ['iso_18045_basic'] } }) }),
      'invalid_proof',
    ],
    [
      'no user authentication',
      () => ({ key_attestation: attest(holders, { claims: { user_authentication: undefined } }) }),
      'invalid_proof',
    ],
    ['another nonce', () => ({ key_attestation: attest(holders, { claims: { nonce: 'other' } }) }), 'invalid_nonce'],
    [
      'more keys than a batch has',
      () => ({ key_attestation: attest([...holders, stranger, makeHolderKey()]) }),
      'invalid_proof',
    ],
    ['a kid beyond its keys', () => ({ jwk: undefined, kid: '3', key_attestation: attest(holders) }), 'invalid_proof'],
  ];
  for (const [title, header, error] of refused)
    it(`400: ${error} for a proof with ${title}; its nonce stays good`, async () => {
      const [token, nonce] = [await access(), await issuance.nonce()];
      const jwt = [proof(first, nonce, header(nonce))];
      expect(outcome(await claim(token, { jwt }))).to.deep.equal([400, error]);
      const good = [proof(first, nonce, { key_attestation: attest([first]) })];
      expect((await claim(token, { jwt: good })).status).to.equal(200);
    });

  it('400: an attestation as proof without a nonce, with a bad one, twice, or by another algorithm', async () => {
    const token = await access();
    const one = (claims: object, header = {}) => attest(holders, { claims: { ...claims }, header });
    expect(outcome(await claim(token, { attestation: [one({})] }))).to.deep.equal([400, 'invalid_proof']);
    expect(outcome(await claim(token, { attestation: [one({ nonce: 'a' })] }))).to.deep.equal([400, 'invalid_nonce']);
    const nonce = await issuance.nonce();
    const two = [one({ nonce }), one({ nonce })];
    expect(outcome(await claim(token, { attestation: two }))).to.deep.equal([400, 'invalid_proof']);
    const other = [one({ nonce }, { alg: 'ES384' })];
    expect(outcome(await claim(token, { attestation: other }))).to.deep.equal([400, 'invalid_proof']);
    expect((await claim(token, { attestation: [one({ nonce })] })).status).to.equal(200);
  });

  it('a server whose configuration demands attestations that it cannot believe does not start', async () => {
    const issuerMetadata = { supportedCredentialTypes };
    const error = await startServer({ settings: { issuerMetadata } }).catch((caught) => caught);
    expect(String(error)).to.match(/keyAttesters is required by supportedCredentialTypes/);
  });
});

/** A JWT with another last character but one of its signature. */
const changed = (jwt: string) => jwt.slice(0, -2) + (jwt.at(-2) === 'A' ? 'B' : 'A') + jwt.slice(-1);
