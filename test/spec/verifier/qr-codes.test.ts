import { createRequire } from 'node:module';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { v1Issuer } from '../../../composition/services/issuers.ts';
import type { CredentialConfiguration } from '../../../domain/issuer/credential-configuration.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';
import { useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

type Json = Record<string, unknown>;

/** What of the encoder the test uses; with the type number 0 it takes the smallest version. */
type Encoder = (typeNumber: 0, level: 'M') => { addData(text: string): void; make(): void; getModuleCount(): number };

const qrcode: Encoder = createRequire(import.meta.url)('qrcode-generator');

/** What a camera reads from a screen at arm's length: 97 modules a side. */
const LARGEST_VERSION = 20;
const PUBLIC_URL = 'https://credentials.example.org';

/** The version of the QR code of a text, with error correction M, the usual one (ISO/IEC 18004). */
function versionOf(text: string): number {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  return (code.getModuleCount() - 17) / 4;
}

/** Asks for everything that a configuration describes. */
const queryOf = ({ format, types, type, claims }: CredentialConfiguration): Json => {
  const meta: Record<string, Json> = {
    jwt_vc_json: { type_values: [types] },
    'dc+sd-jwt': { vct_values: [type] },
    mso_mdoc: { doctype_value: type },
  };
  const paths = claims.map(({ path }) => ({ path })).slice(0, 32);
  return { id: 'q', format, meta: meta[format] ?? {}, ...(paths.length > 0 && { claims: paths }) };
};

describe('createVerificationSession: QR codes', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });

  it(`200: the code of a link has version ${LARGEST_VERSION} at most, for every built-in profile, signed or not`, async () => {
    const { key, x5c, hash, sanDns } = await certifiedKey();
    const signed = { signed_request: true, key, x5c };
    const ways: Json[] = [
      {},
      { encrypted_response: true },
      { ...signed, clientId: hash },
      { ...signed, clientId: sanDns, encrypted_response: true },
    ];
    const reading = { certificates: new NodeCertificates(), schemas: new CallerSchemas(), pems: nodePemKeys };
    const described = { settings: server.settings, formats, ...reading };
    const configurations = [...v1Issuer(described).configurations.values()];
    expect(configurations.length).to.be.greaterThan(50);
    let longest = '';
    for (const configuration of configurations)
      for (const way of ways) {
        const created = await vp.create(crossDevice({ dcql_query: { credentials: [queryOf(configuration)] }, ...way }));
        const link: string = created.bootstrapAuthorizationRequestUrl;
        const shown = link.replaceAll(encodeURIComponent(server.url), encodeURIComponent(PUBLIC_URL));
        if (shown.length > longest.length) longest = shown;
      }
    // The encoder writes every character as a byte, so the longest link has the largest version.
    expect(versionOf(longest), longest).to.be.at.most(LARGEST_VERSION);
  });
});
