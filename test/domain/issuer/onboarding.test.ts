import { expect } from 'chai';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { CredentialIssuer, IssuerIdentity } from '../../../domain/issuer/credential-issuer.ts';
import { Onboarding, type OnboardingRequest } from '../../../domain/issuer/onboarding/onboarding.ts';
import { KeyBackends } from '../../../domain/keys/key-backends.ts';
import type { KeyReference, KeyService, PublicJwk } from '../../../ports/key-service.ts';
import { didCreator } from '../../support/keys/local-dids.ts';

/** A backend elsewhere: keys made there stay until they are removed. */
class DistantKeys implements KeyService {
  readonly backend = 'kmsa-rest-api';
  readonly made: string[] = [];
  readonly removed: string[] = [];
  publicJwk: PublicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  };
  removable = true;

  async create(): Promise<KeyReference> {
    this.made.push('key');
    const { publicJwk, backend } = this;
    return { backend, id: 'key', keyType: 'secp256r1', publicJwk, config: {} };
  }

  async publicKey(): Promise<PublicJwk> {
    throw new DomainError('BadRequest', 'not read here');
  }

  signer(): never {
    throw new DomainError('BadRequest', 'not signing here');
  }

  async remove({ id }: KeyReference): Promise<void> {
    if (!this.removable) throw new DomainError('UpstreamFailed', 'the backend is away');
    this.removed.push(id);
  }

  async close(): Promise<void> {}
}

const CONFIG = {
  auth: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret', region: 'eu-central-1' },
};

const ISSUER: CredentialIssuer = {
  id: 'issuer',
  target: '',
  version: 'draft13',
  identifier: 'https://issuer.example',
  configurations: new Map(),
  display: [],
  identities: [],
};

describe('onboarding', () => {
  let keys: DistantKeys;
  let add: (issuer: CredentialIssuer, identity: IssuerIdentity) => Promise<void>;
  const onboard = (did: OnboardingRequest['did'], backend = 'kmsa-rest-api') =>
    new Onboarding({
      keys: new KeyBackends({ 'kmsa-rest-api': keys }),
      didCreator: didCreator(),
      issuers: { add },
    }).onboard(ISSUER, {
      key: { backend, keyType: 'secp256r1', config: CONFIG },
      did,
    });
  const refusal = (did: OnboardingRequest['did']) =>
    onboard(did).then(
      () => undefined,
      (error: DomainError) => error,
    );
  beforeEach(() => {
    keys = new DistantKeys();
    add = async () => {};
  });

  it('answers in the spelling of the request', async () => {
    const { issuerKey } = await onboard({ method: 'jwk' }, 'aws');
    expect(issuerKey).to.include({ type: 'aws', id: 'key', _keyType: 'secp256r1' });
    expect(keys.removed).to.deep.equal([]);
  });

  it('makes no key when the DID could not be made', async () => {
    for (const did of [
      { method: 'ebsi' },
      { method: 'cheqd' },
      { method: 'web' },
      { method: 'web', config: { domain: '/' } },
    ])
      expect((await refusal(did))?.code).to.equal('BadRequest');
    expect(keys.made).to.deep.equal([]);
  });

  it('removes the key when the DID cannot be made from it after all', async () => {
    keys.publicJwk = { kty: 'EC', crv: 'brainpool', x: 'AA', y: 'AA' };
    expect(await refusal({ method: 'key' })).to.be.instanceOf(Error);
    expect([keys.made, keys.removed]).to.deep.equal([['key'], ['key']]);
  });

  it('removes the key when the issuer cannot be written down', async () => {
    add = async () => {
      throw new DomainError('StoreUnavailable', 'the store is away');
    };
    expect((await refusal({ method: 'jwk' }))?.code).to.equal('StoreUnavailable');
    expect([keys.made, keys.removed]).to.deep.equal([['key'], ['key']]);
  });

  it('reports the first failure even when the key cannot be removed', async () => {
    keys.publicJwk = { kty: 'EC', crv: 'brainpool', x: 'AA', y: 'AA' };
    keys.removable = false;
    expect((await refusal({ method: 'key' }))?.code).to.equal('BadRequest');
  });
});
