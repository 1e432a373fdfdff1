import type { Certificates } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { base64, fromBase64 } from '../foundation/bytes.ts';
import { at, DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import { isoMillis } from '../foundation/time.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { checkDestination, readHttpUrl } from '../network/urls.ts';
import { derOfPem } from '../x509/pem.ts';
import { anchorsOf, LIST_VIOLATIONS, listViolation, type TrustedList } from './list-anchors.ts';
import type { TrustLists } from './trust-lists.ts';

/** What was found of a VICAL; dates in ISO 8601. */
interface VicalReport {
  vicalValid: boolean;
  /** Why it is not valid. */
  reason?: string;
  vicalProvider?: string;
  date: string;
  nextUpdate?: string;
  /** How many certificates can be read. */
  certificates: number;
  documentTypes: string[];
}

/** Fetches and validates VICALs (ISO 18013-5 Annex C) for backends that distribute them. */
export class VicalCheck {
  constructor(
    private readonly parts: {
      trustLists: TrustLists;
      certificates: Certificates;
      outbound: Outbound;
      clock: Clock;
    },
  ) {}

  /** The VICAL at a URL in base64, not verified. @throws DomainError `BadRequest`, `AddressRefused`, as `Outbound.send`, `UpstreamFailed` when it is none */
  async fetch(vicalUrl: unknown): Promise<string> {
    const { trustLists, outbound } = this.parts;
    const url = at(['vicalUrl'], () => readHttpUrl(vicalUrl));
    at(['vicalUrl'], () => checkDestination(outbound, { url, expects: 'trust-list' }));
    const bytes = await trustLists.source.download(url, 'vical');
    try {
      await trustLists.source.parse(bytes, 'vical');
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      throw new DomainError('UpstreamFailed', error.message, { cause: error });
    }
    return base64(bytes);
  }

  /** Whether a key signed a VICAL that counts now. @throws DomainError `BadRequest` when the key or the VICAL cannot be read */
  async validate({ verificationKey, vicalBase64 }: Record<string, unknown>): Promise<VicalReport> {
    const { trustLists, certificates, clock } = this.parts;
    const jwk = at(['verificationKey'], () => this.#key(verificationKey));
    const bytes = isText(vicalBase64) ? fromBase64(vicalBase64) : undefined;
    if (!bytes) throw invalidField(['vicalBase64'], 'must be a VICAL in base64');
    const signed = await trustLists.source.parse(bytes, 'vical').catch((error: unknown) => {
      throw isDomainError(error, 'BadRequest') ? invalidField(['vicalBase64'], error.message) : error;
    });
    const isSigned = (await signed.verify(jwk)) !== undefined;
    const list = anchorsOf(signed.content(), certificates);
    const violation = listViolation(list, clock.now());
    const reason = isSigned ? violation && LIST_VIOLATIONS[violation] : 'The key did not sign the VICAL';
    return { vicalValid: reason === undefined, ...(reason !== undefined && { reason }), ...factsOf(list) };
  }

  #key(value: unknown): PublicJwk {
    try {
      if (isObject(value)) return readVerificationKey(isObject(value.jwk) ? value.jwk : value);
      const der = isText(value) ? derOfPem(value) : undefined;
      return (der && this.parts.certificates.parse(der).publicKey.jwk) ?? noKey();
    } catch (error) {
      throw isDomainError(error, 'BadRequest') ? noKey() : error;
    }
  }
}

function noKey(): never {
  throw invalidField([], 'must be a public JWK or a certificate in PEM form');
}

const factsOf = ({ type, issuedAt, nextUpdate, anchors }: TrustedList) => ({
  ...(type !== undefined && { vicalProvider: type }),
  date: isoMillis(issuedAt),
  ...(nextUpdate !== undefined && { nextUpdate: isoMillis(nextUpdate) }),
  certificates: anchors.length,
  documentTypes: [...new Set(anchors.flatMap(({ docTypes = [] }) => docTypes))],
});
