import type { Certificates } from '../../../ports/certificates.ts';
import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { ClientIdentity } from '../../../ports/outbound.ts';
import type { PemKeys } from '../../../ports/pem-keys.ts';
import { at, catching, invalidField, replacing } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isSameKey } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import { readCertificate } from '../../x509/certificate-chain.ts';
import type { AttributeSource, HttpSource, WrittenAttributeSource } from '../attribute-source.ts';
import { readLoginClaims } from '../sessions/login-claims.ts';

/** What a source is read with. */
export interface SourceReading {
  schemas: Pick<JsonSchemas, 'check'>;
  certificates: Certificates;
  pems: PemKeys;
}

/** What a source depends on in its profile. */
interface SourceContext {
  credentialData: JsonObject;
  /** Whether the holder logs in before the credential is issued. */
  hasLogin: boolean;
  walletInitiated?: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 5;
const DEFAULT_BYTES = 65_536;

/** Reads the source of a profile. @throws DomainError `BadRequest` naming the member that is wrong */
export function readAttributeSource(
  written: WrittenAttributeSource,
  { credentialData, hasLogin, walletInitiated }: SourceContext,
  { schemas, ...keys }: SourceReading,
): AttributeSource {
  const { table, keyClaim, schema } = written;
  if (keyClaim !== undefined && !hasLogin)
    throw invalidField(['keyClaim'], 'needs the authenticationMethod PWD: it is a claim of the login');
  if (keyClaim === undefined && walletInitiated)
    throw invalidField(['keyClaim'], 'is required with walletInitiated: there is no offer with a reference');
  if (schema) at(['schema'], () => catching(asField, () => schemas.check(schema)));
  const shared = { keyClaim, schema, claims: at(['claims'], () => readLoginClaims(written.claims, credentialData)) };
  if (table === undefined) return { ...shared, ...readServer(written, keys) };
  const foreign = OF_SERVERS.find((member) => written[member] !== undefined);
  if (foreign) throw invalidField([foreign], 'has no meaning for a table');
  return { ...shared, table };
}

/** The members that only a server has. */
const OF_SERVERS = [
  'url',
  'timeoutSeconds',
  'maxBytes',
  'bearerToken',
  'signingSecret',
  'clientCertificate',
  'authorities',
] as const;

function readServer(written: WrittenAttributeSource, keys: Omit<SourceReading, 'schemas'>): HttpSource {
  const { url, bearerToken, signingSecret } = written;
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, maxBytes = DEFAULT_BYTES } = written;
  if (url === undefined) throw invalidField(['url'], 'is required, or table');
  if (!isCallableUrl(url)) throw invalidField(['url'], 'must be an http or https URL without credentials');
  const identity = identityOf({ ...written, url }, keys);
  return { url, timeoutMs: timeoutSeconds * 1000, maxBytes, bearerToken, signingSecret, identity };
}

/** What proves this server to another, and the other to this server. */
function identityOf(
  { url, clientCertificate, authorities }: Pick<WrittenAttributeSource, 'clientCertificate' | 'authorities'> & HttpUrl,
  { certificates, pems }: Omit<SourceReading, 'schemas'>,
): ClientIdentity | undefined {
  if (!clientCertificate && !authorities) return undefined;
  if (!url.startsWith('https:')) throw invalidField(['url'], 'must be https: certificates are of TLS');
  for (const [index, pem] of (authorities ?? []).entries())
    at(['authorities', index], () => readCertificate(pem, certificates));
  const own = clientCertificate && at(['clientCertificate'], () => checkPair(clientCertificate, certificates, pems));
  return { ...own, authorities: authorities?.join('\n') };
}

type HttpUrl = Pick<HttpSource, 'url'>;

function checkPair(
  { certificates: chain, privateKey }: NonNullable<WrittenAttributeSource['clientCertificate']>,
  certificates: Certificates,
  pems: PemKeys,
): Pick<ClientIdentity, 'certificates' | 'privateKey'> {
  const [leaf] = chain.map((pem, index) => at(['certificates', index], () => readCertificate(pem, certificates)));
  const jwk = at(['privateKey'], () => catching(asField, () => pems.parse(privateKey)));
  if (!leaf?.publicKey.jwk || !isSameKey(leaf.publicKey.jwk, jwk as unknown as PublicJwk))
    throw invalidField(['certificates', 0], 'holds another key than privateKey');
  return { certificates: chain.join('\n'), privateKey };
}

const asField = replacing('BadRequest', ({ message }) => invalidField([], message));
