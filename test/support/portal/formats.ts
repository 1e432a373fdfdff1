import { expect } from 'chai';
import { crossDevice } from '../../actors/openid4vp.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import type { TestServer } from '../servers/server.ts';
import type { PortalPage } from './browser.ts';
import { readQr } from './qr.ts';

const UNIT = 'stadt-koln.residents';
const ISSUER = `${UNIT}.issuer`;
const VERIFIER = `${UNIT}.verifier`;
const DOCTYPE = 'org.example.resident.1';

const TYPE = {
  id: 'resident',
  doctype: DOCTYPE,
  display: [{ locale: 'en', name: 'Resident' }],
  claims: [{ path: ['family_name'], type: 'text', mandatory: true }],
  formats: ['dc+sd-jwt', 'mso_mdoc', 'jwt_vc_json'],
  revocable: true,
};

/** What the metadata of the issuer says of the type in one format. */
interface Metadata {
  vct?: string;
  credential_definition?: { type: string[] };
}

/** How each format of the type is asked for, by its metadata. */
const ASKED: Record<string, (metadata: Metadata) => { meta: object; path: string[] }> = {
  'dc+sd-jwt': ({ vct }) => ({ meta: { vct_values: [vct] }, path: ['family_name'] }),
  mso_mdoc: () => ({ meta: { doctype_value: DOCTYPE }, path: [DOCTYPE, 'family_name'] }),
  jwt_vc_json: ({ credential_definition }) => ({
    meta: { type_values: [credential_definition?.type] },
    path: ['credentialSubject', 'family_name'],
  }),
};

/** A type in three formats is made in the unit of the set-up page, issued to a wallet, and shown at the counter of the unit. */
export async function threeFormats(server: TestServer, token: string, page: PortalPage): Promise<void> {
  const post = (operationId: string, target: string, json: object) =>
    ok(server.call(operationId, { path: { target }, token, json }), 201);
  await post('createCredentialType', ISSUER, TYPE);
  const path = `/.well-known/openid-credential-issuer/v2/${ISSUER}/issuer-service-api/openid4vci`;
  const { credential_configurations_supported: configurations } = (await server.fetch(path)).body;
  const wallet = await newWalletUser(server);
  for (const [format, asked] of Object.entries(ASKED)) {
    const metadata = configurations[`resident_${format}`];
    const { meta, path } = asked(metadata);
    const { credentialOffer } = await post('tenantCreateCredentialOffer', ISSUER, {
      profileId: `resident_${format.replace('+', '-')}`,
      authMethod: 'PRE_AUTHORIZED',
      runtimeOverrides: { credentialData: { family_name: 'Lovelace' } },
    });
    const [card] = await ok(wallet.call('acceptCredentialOffer', { text: credentialOffer }));
    const dcql_query = { credentials: [{ id: 'card', format, meta, claims: [{ path }] }] };
    const name = format.replace(/[^a-z]/g, '');
    const policies = { vc_policies: ['revoked-status-list'] };
    await post('createSavedCheck', `${VERIFIER}.${name}`, { name, setup: crossDevice({ dcql_query, policies }) });
    await page.goto(`${server.url}/#/office/${UNIT}/counter/${VERIFIER}.${name}`);
    await page.reload();
    const presentationRequest = await readQr(page.getByRole('img', { name: 'QR code for your wallet' }));
    const json = { presentationRequest, selectedCredentials: [card.id] };
    await ok(wallet.call('presentCredentials', { json }));
    await page
      .getByRole('status')
      .filter({ hasText: /Yes$|^\W*No/ })
      .waitFor();
    expect(await page.locator('main').innerText(), format).to.include('Yes');
  }
}
