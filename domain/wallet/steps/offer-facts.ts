import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { lineOf } from '../../foundation/texts.ts';
import type { ClaimDisplay, DisplayEntry } from '../../holdings/records.ts';
import type { AuthorizationServer } from '../issuance/authorization-server.ts';
import { readDisplay, readLabels } from '../issuance/credential-display.ts';
import { describedClaims } from '../issuance/described-claims.ts';
import { configurationOf } from '../issuance/issuer-directory.ts';
import type { ParsedOffer } from '../issuance/offer-links.ts';
import type { IssuerProof } from '../issuers/signed-metadata.ts';

/** A claim that an issuer says a credential has. */
interface OfferedClaim {
  path: ClaimDisplay['path'];
  mandatory?: boolean;
  displayName?: string;
}

/** A credential configuration that is offered. */
interface OfferedConfiguration {
  configurationId: string;
  format: string;
  scope?: string;
  vct?: string;
  doctype?: string;
  /** Images are URLs of the issuer. */
  display?: DisplayEntry;
  claims: OfferedClaim[];
}

/** How the transaction code of an offer looks (OpenID4VCI 1.0 §4.1.1). */
interface TransactionCode {
  inputMode: 'numeric' | 'text';
  length?: number;
  description?: string;
}

/** What a person has to know of an offer before anything is requested. */
export interface OfferFacts {
  offer: ParsedOffer;
  grantType?: 'pre-authorized_code' | 'authorization_code';
  credentialEndpoint: string;
  tokenEndpoint: string;
  nonceEndpoint?: string;
  proof: IssuerProof;
  issuerDisplay?: DisplayEntry;
  offered: OfferedConfiguration[];
  transactionCode?: TransactionCode;
}

/** What an offer is read with. */
interface OfferSources {
  offer: ParsedOffer;
  /** Of the issuer. */
  metadata: JsonObject;
  proof: IssuerProof;
  server: AuthorizationServer;
  formats: CredentialFormats;
}

const MAX_CLAIMS = 200;
const MAX_DESCRIPTION = 300;

/** Reads what an offer is about. @throws DomainError `BadRequest` for a configuration that the issuer does not have */
export function offerFacts({ offer, metadata, proof, server, formats }: OfferSources): OfferFacts {
  const { credential_endpoint: endpoint, nonce_endpoint: nonceEndpoint } = metadata;
  if (!isText(endpoint)) throw invalidField([], 'names an issuer without a credential_endpoint');
  const grantType = grantOf(offer, server);
  return {
    offer,
    ...(grantType && { grantType }),
    credentialEndpoint: endpoint,
    tokenEndpoint: server.tokenEndpoint,
    ...(isText(nonceEndpoint) && { nonceEndpoint }),
    proof,
    issuerDisplay: shown(readDisplay(metadata, {})?.issuer),
    offered: offer.configurationIds.map((id) => offeredConfiguration(id, { metadata, formats })),
    ...(offer.txCode && { transactionCode: at(['tx_code'], () => transactionCode(offer.txCode ?? {})) }),
  };
}

/** An offer without grants is for servers at which a login can be asked for (OpenID4VCI 1.0 §4.1.1). */
function grantOf({ preAuthorizedCode }: ParsedOffer, server: AuthorizationServer): OfferFacts['grantType'] {
  if (preAuthorizedCode !== undefined) return 'pre-authorized_code';
  return server.authorizationEndpoint === undefined ? undefined : 'authorization_code';
}

function offeredConfiguration(
  configurationId: string,
  { metadata, formats }: Pick<OfferSources, 'metadata' | 'formats'>,
): OfferedConfiguration {
  const configuration = configurationOf(metadata, configurationId);
  const { format: stated, scope, vct, doctype } = configuration;
  const format = String(stated).slice(0, 64);
  return {
    configurationId,
    format: formats.supported(format)?.name ?? format,
    ...(isText(scope) && { scope }),
    ...(isText(vct) && { vct }),
    ...(isText(doctype) && { doctype }),
    display: shown(readDisplay(metadata, configuration)?.credential),
    claims: [...offeredClaims(configuration)],
  };
}

function* offeredClaims(configuration: JsonObject): Generator<OfferedClaim> {
  let count = 0;
  for (const { path, display, mandatory } of describedClaims(configuration)) {
    count += 1;
    if (count > MAX_CLAIMS) return;
    const displayName = shown(readLabels(display))?.name;
    yield {
      path,
      ...(typeof mandatory === 'boolean' && { mandatory }),
      ...(displayName !== undefined && { displayName }),
    };
  }
}

/** The entry for every language, else the first one. */
const shown = <T extends { locale?: string }>(entries: readonly T[] = []): T | undefined =>
  entries.find(({ locale }) => locale === undefined) ?? entries[0];

/** @throws DomainError `BadRequest` for an input mode of another kind */
function transactionCode({ input_mode: mode = 'numeric', length, description }: JsonObject): TransactionCode {
  if (mode !== 'numeric' && mode !== 'text') throw invalidField(['input_mode'], 'must be numeric or text');
  return {
    inputMode: mode,
    ...(Number.isSafeInteger(length) && { length: Number(length) }),
    ...(isText(description) && { description: lineOf(description, MAX_DESCRIPTION) }),
  };
}
