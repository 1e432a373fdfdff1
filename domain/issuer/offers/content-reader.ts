import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Clock } from '../../../ports/system.ts';
import type { TypeSelector } from '../../credentials/formats/facts.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { base64 } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { KEY_TYPES } from '../../jose/key-types.ts';
import { MDOC_ALGORITHMS } from '../../keys/cose-algorithms.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { readChain } from '../../x509/certificate-chain.ts';
import { withoutAnchor } from '../../x509/signing-chain.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuerDids } from '../onboarding/issuer-dids.ts';
import type { IssuerKeys } from '../onboarding/issuer-keys.ts';
import { issuerUrl } from '../onboarding/issuer-names.ts';
import type { IssuableContent } from '../sessions/issuable-content.ts';
import { type IssuanceRequest, type RequestedContent, readContent } from './issuance-request.ts';
import { statusListOf } from './status-list-member.ts';

/** How many keys of one call are asked for at their backends at the same time. */
const MAX_KEYS_AT_ONCE = 8;

/** Requests for credentials. */
export interface RequestedCredentials {
  /** The kind of formats that comes first where a request names neither a configuration nor a format. */
  preferred?: TypeSelector;
  /** One credential or, for a batch offer, a list of them. */
  content: IssuanceRequest | IssuanceRequest[];
}

/** Reads the credentials of an offer with their keys. */
export class ContentReader {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      formats: CredentialFormats;
      certificates: Certificates;
      issuerDids: IssuerDids;
      issuerKeys: Pick<IssuerKeys, 'publishes'>;
      clock: Clock;
    },
  ) {}

  /**
   * Checks all requests before a key is asked for at its backend. @throws DomainError `BadRequest` naming what is wrong,
   * below its index when there are several
   */
  async read(issuer: CredentialIssuer, { content, preferred }: RequestedCredentials): Promise<IssuableContent[]> {
    const { formats, issuerDids } = this.parts;
    const placeOf = (index: number): FieldPath => (Array.isArray(content) ? [index] : []);
    const checked = [content].flat().map((request, index) => {
      const requested = at(placeOf(index), () => readContent(request, { issuer, formats, preferred }));
      const format = this.parts.formats.get(requested.format);
      const list = { member: request.statusList, content: requested, format };
      return { request, requested: { statusList: at(placeOf(index), () => statusListOf(issuer, list)), ...requested } };
    });
    const contents = await mapBounded(checked, MAX_KEYS_AT_ONCE, (one, index) =>
      at(placeOf(index), () => this.#withKey(issuer, one)),
    );
    await issuerDids.check(
      issuer,
      contents.flatMap(({ issuer: did, issuerKey: { publicJwk: jwk }, ownKey }, index) =>
        did.startsWith('did:') && ownKey?.did !== did ? [{ did, jwk, path: [...placeOf(index), 'issuerDid'] }] : [],
      ),
    );
    return contents;
  }

  async #withKey(issuer: CredentialIssuer, { requested, request }: CheckedRequest): Promise<IssuableContent> {
    const { keys, certificates, formats, clock } = this.parts;
    const { issuerKey: wire, ownKey, x5Chain, issuerDid } = request;
    const read = await at(['issuerKey'], () => keys.read(wire));
    const issuerKey = ownKey ? { ...read, config: {} } : read;
    const { publicJwk: jwk } = issuerKey;
    const chain = x5Chain && at(['x5Chain'], () => readChain(x5Chain, { certificates, jwk, keyName: 'issuerKey' }));
    const content = { issuerKey, ownKey, x5c: chain?.map(({ der }) => base64(der)), ...requested };
    const { selector, omitsAnchor } = formats.get(requested.format);
    const isMdoc = selector === 'doc_type';
    if (isMdoc) checkMdocSigner(issuerKey, { leaf: chain?.[0], now: clock.now() });
    if (omitsAnchor && chain) at(['x5Chain'], () => withoutAnchor(chain, certificates));
    if (isMdoc || issuerDid !== undefined) return { issuer: issuerDid ?? issuer.identifier, ...content };
    return { issuer: await issuerUrl(issuer, { jwk, leaf: chain?.[0] }, this.parts.issuerKeys), ...content };
  }
}

/** What an mdoc is signed with besides the key. */
interface MdocSigning {
  leaf: ParsedCertificate | undefined;
  now: number;
}

function checkMdocSigner({ keyType }: KeyReference, { leaf, now }: MdocSigning): void {
  if (!MDOC_ALGORITHMS.includes(KEY_TYPES[keyType].alg))
    throw invalidField(['issuerKey'], `an mdoc cannot be signed with a key of the type ${keyType}`);
  if (leaf && (now < leaf.notBefore || now > leaf.notAfter))
    throw invalidField(['x5Chain', 0], 'is not valid now, so nothing can be issued with it');
}

/** A request whose content was read, with what is left to read. */
interface CheckedRequest {
  request: IssuanceRequest;
  requested: RequestedContent & Pick<IssuableContent, 'statusList'>;
}
