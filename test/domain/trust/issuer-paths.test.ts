import { expect } from 'chai';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { type FederatedCredential, findIssuerPaths } from '../../../domain/trust/federation/issuer-paths.ts';
import type { TrustChain } from '../../../domain/trust/federation/trust-chain.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { contentOf, newSigner, signSdJwt } from '../../support/credentials/sd-jwts.ts';

const { codec } = testFormats.get('dc+sd-jwt');
const ISSUER = 'https://issuer.example';
const refusedBy = (why: string) => new DomainError('BadRequest', why);

const chain = (superior: string, metadata: () => object): TrustChain => ({
  entity: ISSUER,
  path: [ISSUER, superior],
  anchor: superior,
  metadata: (type) => {
    expect(type).to.equal('openid_credential_issuer');
    return { ...metadata() };
  },
  expiresAt: 0,
  characters: 0,
});

const notAllowed = (): object => {
  throw refusedBy('it is no openid_credential_issuer');
};

describe('findIssuerPaths', () => {
  let credential: FederatedCredential;
  let own: object;
  let stranger: object;
  before(async () => {
    const [signer, other] = await Promise.all([newSigner('secp256r1'), newSigner('secp256r1')]);
    credential = await codec.parse(await signSdJwt(signer, { iss: ISSUER }, { header: { kid: undefined } }));
    own = { jwks: { keys: [signer.publicJwk] } };
    stranger = { jwks: { keys: [other.publicJwk] } };
  });

  async function found(chains: TrustChain[] | DomainError, one = credential) {
    const all = async () => {
      if (chains instanceof DomainError) throw chains;
      return chains as [TrustChain];
    };
    const { entities, missing } = await findIssuerPaths([one], { all });
    return [[...(entities.get(one.issuer) ?? [])], missing.join()] as const;
  }

  const cases: [string, () => TrustChain[] | DomainError, string[], RegExp][] = [
    ['a chain that states no keys', () => [chain('a', () => ({}))], [ISSUER, 'a'], /^$/],
    ['a chain that states the key', () => [chain('a', () => own)], [ISSUER, 'a'], /^$/],
    ['two chains', () => [chain('a', () => own), chain('b', () => ({}))], [ISSUER, 'a', 'b'], /^$/],
    [
      'one chain with the key, one with another',
      () => [chain('a', () => own), chain('b', () => stranger)],
      [ISSUER, 'a'],
      /^$/,
    ],
    [
      'a chain that states another key',
      () => [chain('a', () => stranger)],
      [],
      /not signed with a key of https:\/\/issuer/,
    ],
    ['a chain with keys that cannot be read', () => [chain('a', () => ({ jwks: 7 }))], [], /not signed with a key/],
    ['a chain with keys at a URI', () => [chain('a', () => ({ jwks_uri: 'https://x.example' }))], [], /not signed/],
    ['a chain with signed keys at a URI', () => [chain('a', () => ({ signed_jwks_uri: 'x' }))], [], /not signed/],
    ['a chain of no credential issuer', () => [chain('a', notAllowed)], [], /is no openid_credential_issuer/],
    [
      'two chains, one of no credential issuer',
      () => [chain('a', notAllowed), chain('b', () => own)],
      [ISSUER, 'b'],
      /^$/,
    ],
    ['no chain', () => refusedBy('no superior'), [], /^no superior \(https:\/\/issuer.example\)$/],
  ];
  for (const [name, chains, entities, missing] of cases)
    it(`${name}: ${entities.length === 0 ? 'proves nothing' : `proves ${entities.join(' and ')}`}`, async () => {
      const [proven, why] = await found(chains());
      expect(proven).to.deep.equal(entities);
      expect(why).to.match(missing);
    });

  it('a credential whose signature cannot be checked is signed with no key that is stated', async () => {
    expect((await found([chain('a', () => own)], { issuer: credential.issuer }))[0]).to.deep.equal([]);
  });

  it('a DID and certificates are not looked for, and of more than 16 issuers the first', async () => {
    const asked: string[] = [];
    const all = async (issuer: string): Promise<[TrustChain]> => {
      asked.push(issuer);
      return [chain('a', () => ({}))];
    };
    const signer = await newSigner('secp256r1');
    const { did } = { did: await codec.parse(await codec.issue(contentOf(signer), signer)) };
    const certified = { issuer: { kind: 'certificates', id: ISSUER, chain: [] } } as const;
    const many = Array.from(
      { length: 17 },
      (_, at) => ({ issuer: { kind: 'url', id: `https://${at}.example` } }) as const,
    );
    const { entities, missing } = await findIssuerPaths([did, certified, ...many], { all });
    expect(asked).to.deep.equal(many.slice(0, 16).map(({ issuer }) => issuer.id));
    expect(entities.size).to.equal(16);
    expect(missing.join()).to.match(/^[^,]*more than 16 issuers[^,]*\(https:\/\/16.example\)$/);
  });

  it('an error that is no refusal is not taken for one', async () => {
    const all = () => Promise.reject(new TypeError('a defect'));
    const error = await findIssuerPaths([credential], { all }).catch((reason) => reason);
    expect(error).to.be.instanceOf(TypeError);
    const defect = chain('a', () => {
      throw new TypeError('a defect');
    });
    expect(await found([defect]).catch((reason) => reason)).to.be.instanceOf(TypeError);
  });
});
