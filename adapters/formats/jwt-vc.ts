import { DomainError } from '../../domain/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../domain/json.ts';
import { type ParsedJws, parseJws, signJws, verifyJws } from '../../domain/jws.ts';
import { epochSeconds, parseIso } from '../../domain/time.ts';
import type { CredentialContent, CredentialFormat, OpenedCredential } from '../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';

const VC_2_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

/** W3C Verifiable Credentials as JWTs: Data Model 1.1 §6.3.1 with the `vc` claim, 2.0 as VC-JOSE-COSE §3.1. */
export class JwtVc implements CredentialFormat {
  readonly name = 'jwt_vc_json';
  readonly #signatures: Signatures;

  constructor(signatures: Signatures) {
    this.#signatures = signatures;
  }

  issue({ document, issuer, subject, claims, kid, x5c }: CredentialContent, signer: Signer): Promise<string> {
    const isVersion2 = asList(document['@context']).includes(VC_2_CONTEXT);
    const header = { kid, typ: isVersion2 ? 'vc+jwt' : 'JWT', ...(x5c ? { x5c } : {}) };
    const content = isVersion2 ? renameDates(document) : { vc: document };
    return signJws(header, { ...content, ...registeredClaims(document), ...claims, iss: issuer, sub: subject }, signer);
  }

  open(text: string): OpenedCredential {
    const jws = parseJws(text, 'The credential');
    const { payload: claims } = jws;
    const document = isObject(claims.vc) ? claims.vc : claims;
    const types = asList(document.type).filter(isText);
    const type = types.at(-1);
    if (type === undefined) throw new DomainError('BadRequest', 'The credential names no type');
    const opened = {
      format: this.name,
      header: jws.header,
      claims,
      document,
      type,
      issuer: issuerOf(claims, document),
    } as const;
    return { ...opened, subject: subjectOf(claims, document), verify: (jwk) => this.#verify(jws, jwk) };
  }

  #verify(jws: ParsedJws, jwk: PublicJwk): Promise<boolean> {
    return verifyJws(jws, jwk, this.#signatures);
  }
}

function renameDates({ issuanceDate, expirationDate, ...rest }: JsonObject): JsonObject {
  const renamed: JsonObject = { ...rest };
  if (issuanceDate !== undefined) renamed.validFrom ??= issuanceDate;
  if (expirationDate !== undefined) renamed.validUntil ??= expirationDate;
  return renamed;
}

/** The registered claims that repeat what the document says (VC Data Model 1.1 §6.3.1). */
function registeredClaims(document: JsonObject): JsonObject {
  const from = secondsOf(document.issuanceDate ?? document.validFrom);
  const until = secondsOf(document.expirationDate ?? document.validUntil);
  return {
    ...(isText(document.id) ? { jti: document.id } : {}),
    ...(from === undefined ? {} : { iat: from, nbf: from }),
    ...(until === undefined ? {} : { exp: until }),
  };
}

function secondsOf(value: unknown): number | undefined {
  const ms = isText(value) ? parseIso(value) : undefined;
  return ms === undefined ? undefined : epochSeconds(ms);
}

const idOf = (value: unknown): string | undefined =>
  isText(value) ? value : isObject(value) && isText(value.id) ? value.id : undefined;

const issuerOf = (claims: JsonObject, document: JsonObject): string =>
  isText(claims.iss) ? claims.iss : (idOf(document.issuer) ?? '');

const subjectOf = (claims: JsonObject, document: JsonObject): string | undefined =>
  isText(claims.sub) ? claims.sub : idOf(asList(document.credentialSubject)[0]);
