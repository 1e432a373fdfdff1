import { readCredentialFacts } from '../../domain/credentials/token-facts.ts';
import { type DateBound, earliestEnd, latestStart, validityBounds } from '../../domain/credentials/validity.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import { asList, isText, type JsonObject } from '../../domain/foundation/json.ts';
import { epochSeconds } from '../../domain/foundation/time.ts';
import { type ParsedJws, parseJws, signJws, verifyJws } from '../../domain/jose/jws.ts';
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

  /** What `open` would refuse is not signed. */
  async issue({ document, issuer, subject, claims, kid, x5c }: CredentialContent, signer: Signer): Promise<string> {
    const isVersion2 = asList(document['@context']).includes(VC_2_CONTEXT);
    const header = { kid, typ: isVersion2 ? 'vc+jwt' : 'JWT', ...(x5c ? { x5c } : {}) };
    const content = isVersion2 ? renameDates(document) : { vc: document };
    const payload = { ...content, ...claims, ...registeredClaims(document, claims), iss: issuer, sub: subject };
    readCredentialFacts({ header, payload });
    return signJws(header, payload, signer);
  }

  open(text: string): OpenedCredential {
    const jws = parseJws(text, 'The credential');
    const { document, issuer, subject } = readCredentialFacts(jws);
    if (issuer === undefined) throw new DomainError('BadRequest', 'The credential names no issuer');
    const type = asList(document.type).filter(isText).at(-1);
    if (type === undefined) throw new DomainError('BadRequest', 'The credential names no type');
    const { header, payload: claims } = jws;
    const verify = (jwk: PublicJwk) => this.#verify(jws, jwk);
    return { format: this.name, header, claims, document, type, issuer, subject, verify };
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

/**
 * The registered claims that repeat what the document says (VC Data Model 1.1 §6.3.1); of several dates, those of the
 * mapping's claims among them, the latest start and the earliest end.
 */
function registeredClaims(document: JsonObject, { jti = document.id, iat, nbf, exp }: JsonObject): JsonObject {
  const bounds = validityBounds({ vc: document, nbf, exp });
  const [issued] = validityBounds({ validFrom: document.issuanceDate ?? document.validFrom }).starts;
  return {
    ...(isText(jti) ? { jti } : {}),
    ...dated('iat', iat ?? secondsOf(issued)),
    ...dated('nbf', secondsOf(latestStart(bounds)) ?? nbf),
    ...dated('exp', secondsOf(earliestEnd(bounds)) ?? exp),
  };
}

const dated = (name: string, seconds: unknown): JsonObject => (seconds === undefined ? {} : { [name]: seconds });

const secondsOf = (bound: DateBound | undefined): number | undefined =>
  bound?.ms === undefined ? undefined : epochSeconds(bound.ms);
