import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import { MDL_DOCUMENT_SIGNER } from '../../../domain/x509/signer-profiles.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, KMS, startEnterprise } from '../../actors/tenant.ts';
import { CARDS, createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';
import { contract } from '../../support/documents/contract.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import { usageExtension } from '../../support/trust/issuer-chains.ts';

describe('tenant domain', () => {
  const DOMAIN = 'club.example';
  const OWN_VERIFIER = 'acme.t1.checks';
  const clouds = useClouds();

  const { lookup } = dns;
  /** The domain of the tenant leads to this machine; all other names are looked up. */
  const ownLookup = (name: string, ...rest: unknown[]): void =>
    Reflect.apply(lookup, dns, [name === DOMAIN ? '127.0.0.1' : name, ...rest]);

  describe('a tenant under a domain of its own, with a key in a cloud', () => {
    let world: EnterpriseFixture;
    let wallet: WalletUser;
    let base: string;
    before(async () => {
      Object.assign(dns, { lookup: ownLookup });
      syncBuiltinESMExports();
      world = await startEnterprise({
        kms: clouds.settings,
        outbound: { allow: ['127.0.0.1', DOMAIN] },
        trustedIssuers: { certificates: [iaca.pem] },
      });
      base = `http://${DOMAIN}:${new URL(world.server.url).port}`;
      await world.post('createHostAlias', 'acme.t1', { domain: DOMAIN });
      const [cloud] = clouds.all;
      const key = { backend: cloud?.backend, keyType: 'secp256r1', config: cloud?.config() };
      const { body: made } = await world.post('generateKey', `${KMS}.cloud`, key);
      const x5Chain = signerChain(JSON.parse(made.key._publicKey), {
        extensions: [usageExtension(MDL_DOCUMENT_SIGNER)],
      });
      const degree = { type: ['VerifiableCredential', 'Degree'], credentialSubject: { level: 'gold' } };
      const licence = { [MDL.namespace]: { family_name: 'Lovelace' } };
      const profiles = {
        card: CARDS.profiles.card,
        degree: { name: 'Degree', credentialConfigurationId: 'Degree_jwt_vc_json', credentialData: degree },
        licence: {
          name: 'Licence',
          credentialConfigurationId: 'Licence_mso_mdoc',
          credentialData: licence,
          x5Chain,
          issuerKey: `${KMS}.cloud`,
        },
      };
      const created = await createIssuer(world, { profiles, defaultIssuerKey: `${KMS}.cloud` });
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      await world.post('createService', OWN_VERIFIER, { type: 'verifier2' });
      wallet = await newWalletUser(world.server);
    });
    after(async () => {
      Object.assign(dns, { lookup });
      syncBuiltinESMExports();
      await world.close();
    });

    const QUERIES = {
      degree: {
        format: 'jwt_vc_json',
        meta: { type_values: [['Degree']] },
        claims: [{ path: ['credentialSubject', 'level'] }],
      },
      card: { format: 'dc+sd-jwt', meta: {}, claims: [{ path: ['level'] }] },
      licence: {
        format: 'mso_mdoc',
        meta: { doctype_value: MDL.docType },
        claims: [{ path: [MDL.namespace, 'family_name'] }],
      },
    };
    for (const [profileId, query] of Object.entries(QUERIES))
      it(`issues and verifies a credential of the format ${query.format}`, async () => {
        const { body: offered } = await world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId }));
        expect(decodeURIComponent(offered.credentialOffer)).to.include(`${base}/v2/${ISSUER}/`);
        const taken = await wallet.call('acceptCredentialOffer', { text: offered.credentialOffer });
        expect(taken.status, JSON.stringify(taken.body)).to.equal(200);
        const [{ id, format, document }] = taken.body;
        expect(format).to.equal(query.format);
        const meta = query.format === 'dc+sd-jwt' ? { vct_values: [vctOf(document)] } : query.meta;
        const vp = await Openid4vp.with(world.server, { target: OWN_VERIFIER, token: world.root });
        const created = await vp.create(crossDevice({ dcql_query: { credentials: [{ id: 'q', ...query, meta }] } }));
        const link: string = created.bootstrapAuthorizationRequestUrl;
        expect(decodeURIComponent(link)).to.include(`${base}/v1/${OWN_VERIFIER}/`);
        const answer = await wallet.call('presentCredentials', {
          json: { presentationRequest: link, selectedCredentials: [id] },
        });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        const session = await vp.info(created);
        expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
        expect(JSON.stringify(session.presented_credentials.q[0].claims)).to.match(/gold|Lovelace/);
      });

    it('publishes every well-known document that the open issuer of 1.0 has, by its path and by its domain, and nothing of others', async () => {
      const headers = { host: new URL(base).host };
      const own = (target: string, at: string) => `${at}/v2/${target}/issuer-service-api/openid4vci`;
      const OTHER = 'acme.t2.issuer1';
      await world.post('createTenant', 'acme.t2', {});
      await createIssuer(world, {}, OTHER);
      const { operations } = await contract;
      const paths = operations.map(({ path }) => path).filter((path) => path.startsWith('/.well-known/'));
      const open = paths.filter(
        (path) => /\/(openid4vci|\{version\}\/\{type\})$/.test(path) && !path.includes('{target}'),
      );
      expect(open).to.have.length(4);
      for (const path of open) {
        const end = path.replace('{version}', 'openid4vci').replace('{type}', 'Card');
        const place = (target: string) => end.replace(/\/openid4vci/, `/v2/${target}/issuer-service-api/openid4vci`);
        for (const [target, host, at] of [
          [ISSUER, headers, base],
          [OTHER, {}, world.server.url],
        ] as const) {
          const { status, body } = await world.server.fetch(place(target), { headers: host });
          expect(status, path).to.equal(200);
          const named = body.credential_issuer ?? body.issuer ?? body.vct;
          expect(named, path).to.equal(body.vct ? `${own(target, at)}/Card` : own(target, at));
          const urls = JSON.stringify(body).match(/https?:[^"]+/g) ?? [];
          expect(
            urls.filter((url) => !url.startsWith(own(target, at)) && !url.startsWith('https://www.w3.org/')),
          ).to.deep.equal([]);
        }
        expect((await world.server.fetch(place(OTHER), { headers })).status, path).to.equal(404);
      }
    });
  });

  const vctOf = (document: string): string =>
    JSON.parse(Buffer.from(document.split('.')[1] ?? '', 'base64url').toString()).vct;
});
