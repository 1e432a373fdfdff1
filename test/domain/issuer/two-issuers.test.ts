import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Container, ContainerModule } from 'inversify';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import type { IssuerServices } from '../../../adapters/http/handlers/issuer.ts';
import { type Platform, PlatformT, platformModule } from '../../../composition/platform/platform.ts';
import { storeModule } from '../../../composition/platform/stores.ts';
import { systemModule } from '../../../composition/platform/system.ts';
import { issuerServices } from '../../../composition/services/issuer.ts';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { OPENID4VCI } from '../../../domain/credentials/openid4vci.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { readConfigurations } from '../../../domain/issuer/configurations/configurations.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { OnboardingResult } from '../../../domain/issuer/onboarding/onboarding.ts';
import { createOffer, parseCredentialRequest } from '../../../domain/issuer/openid4vci/draft13.ts';
import { issuerDocument } from '../../../domain/issuer/openid4vci/draft13-metadata.ts';
import { credentialRequest, decodeJwt, proofOf } from '../../actors/wallet.ts';
import { bearer } from '../../support/credentials/oauth.ts';
import type { TestServer } from '../../support/servers/server.ts';

/** An issuer with a key of its own, and what one of its offers leads to. */
interface Tenant {
  issuer: CredentialIssuer;
  onboarded: OnboardingResult;
  type: string;
}

interface Access {
  token: string;
  nonce: string;
}

/** The stable name of the error that a call ends with. */
const errorOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: DomainError) => error.oauthError ?? error.code,
  );

describe('two issuers in one process, over the same services and one store', () => {
  let folder: string;
  let platform: Platform;
  let services: IssuerServices;
  const holder = makeHolderKey();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-issuers-'));
    const defaults = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
    const settings = { ...defaults, store: { ...defaults.store, type: 'memory' as const } };
    const container = new Container();
    for (const load of [await storeModule(settings), systemModule(settings, {}), platformModule({})])
      container.load(new ContainerModule(load));
    platform = container.get<Platform>(PlatformT.id);
    services = issuerServices(platform);
  });
  after(async () => {
    await platform.store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function tenant(name: string, target: string): Promise<Tenant> {
    const type = `Degree of ${name}`;
    const metadata = { format: 'jwt_vc_json', credential_definition: { type: [type] } };
    const issuer: CredentialIssuer = {
      id: `${target}/${name}`,
      target,
      version: 'draft13',
      identifier: `https://${name}.example/draft13`,
      configurations: readConfigurations(
        { [type]: metadata },
        { formats: platform.formats, identifier: '', version: 'draft13' },
      ),
      display: [{ name }],
      identities: [],
    };
    return { issuer, type, onboarded: await services.onboarding.onboard(issuer, {}) };
  }

  async function offer({ issuer, onboarded, type }: Tenant): Promise<string> {
    const content = { ...onboarded, credentialConfigurationId: type, credentialData: { type: [type] } };
    return (await services.offers.create(issuer, { content })).id;
  }

  const codeOf = async ({ issuer }: Tenant, id: string): Promise<string> =>
    (await services.offers.get(issuer, id, createOffer)).grants[OPENID4VCI.PRE_AUTHORIZED]?.['pre-authorized_code'] ??
    '';

  async function redeem({ issuer }: Tenant, code: string): Promise<Access> {
    const { accessToken, nonce } = await services.tokenEndpoint.redeem(issuer, {
      code,
      configurationIds: [],
      event: {},
    });
    return { token: accessToken, nonce: nonce ?? '' };
  }

  const access = async (of: Tenant): Promise<Access> => redeem(of, await codeOf(of, await offer(of)));

  /** A credential request at one issuer; the proof is for another one's identifier, or carries another nonce, when given. */
  async function claim(of: Tenant, { token, nonce }: Access, proven = of.issuer) {
    const server = { url: proven.identifier.replace('/draft13', ''), clock: platform.clock } as TestServer;
    const request = credentialRequest(proofOf(server, holder, { nonce }), [of.type]);
    const allowed = await services.credentialEndpoint.access(of.issuer, bearer(token));
    return services.credentialEndpoint.issue(allowed, parseCredentialRequest(request));
  }

  for (const [title, targets] of [
    ['of two targets', ['acme', 'umbrella']],
    ['of one target', ['acme', 'acme']],
  ] as const)
    describe(title, () => {
      let one: Tenant;
      let two: Tenant;
      before(async () => {
        one = await tenant('one', targets[0]);
        two = await tenant('two', targets[1]);
      });

      it('each describes itself and issues its own credentials with its own key', async () => {
        for (const of of [one, two]) {
          expect(issuerDocument(of.issuer)).to.deep.include({
            credential_issuer: of.issuer.identifier,
            display: of.issuer.display,
          });
          expect(Object.keys(issuerDocument(of.issuer).credential_configurations_supported)).to.deep.equal([of.type]);
          const { outcome } = await claim(of, await access(of));
          const [credential] = outcome.kind === 'delivered' ? outcome.credentials : [];
          const { claims, verifies } = decodeJwt(credential ?? '');
          expect([claims.iss, claims.vc.type]).to.deep.equal([of.onboarded.issuerDid, [of.type]]);
          const keys = [one, two].map(({ onboarded }) => onboarded.issuerKey.jwk as Record<string, unknown>);
          expect(keys.map((jwk) => verifies(jwk))).to.deep.equal([of === one, of === two]);
        }
      });

      it('neither offers the configurations of the other', async () => {
        expect(await errorOf(offer({ ...one, type: two.type }))).to.equal('BadRequest');
      });

      it('an offer and a code of one are unknown to the other, and stay good at their own', async () => {
        const id = await offer(one);
        expect(await errorOf(codeOf(two, id))).to.equal('NotFound');
        const code = await codeOf(one, id);
        expect(await errorOf(redeem(two, code))).to.equal('invalid_grant');
        await claim(one, await redeem(one, code));
      });

      it('a token of one is refused by the other, and stays good at its own', async () => {
        const own = await access(one);
        const foreign = { ...own, nonce: (await access(two)).nonce };
        for (const nonce of [own.nonce, foreign.nonce])
          expect(await errorOf(claim(two, { token: own.token, nonce }))).to.equal('invalid_token');
        await claim(one, own);
      });

      it('a nonce of one is refused by the other', async () => {
        const [own, other] = [await access(one), await access(two)];
        expect(await errorOf(claim(two, { token: other.token, nonce: own.nonce }))).to.equal('invalid_proof');
        await claim(one, own);
      });

      it('a proof for one (aud) is refused by the other', async () => {
        expect(await errorOf(claim(two, await access(two), one.issuer))).to.equal('invalid_proof');
      });
    });

  it('each target publishes the keys that were onboarded below it, and no other', async () => {
    const [one, two] = [await tenant('one', 'here'), await tenant('two', 'there')];
    const published = async ({ issuer }: Tenant) => (await services.keys.published(issuer)).map(({ x }) => x);
    const xOf = ({ onboarded }: Tenant) => (onboarded.issuerKey.jwk as { x: string }).x;
    expect(await published(one))
      .to.include(xOf(one))
      .and.not.include(xOf(two));
    expect(await published(two))
      .to.include(xOf(two))
      .and.not.include(xOf(one));
  });
});
