import type * as Library from '@owf/mdoc';
import { base64url, digest } from '../../../domain/foundation/bytes.ts';
import { at, invalidField } from '../../../domain/foundation/errors.ts';
import { isObject, isText } from '../../../domain/foundation/json.ts';
import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { CredentialContent } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Random } from '../../../ports/system.ts';
import { checkCbor } from './cbor-bounds.ts';
import { COSE_HEADER, deviceKeyOf } from './cose.ts';
import { ElementValues, memberType } from './element-values.ts';
import { encodeStatus } from './mso-status.ts';
import { documentSigner } from './signing-chain.ts';
import { TRANSACTION_DATA } from './transaction-data.ts';

const DAY_MS = 86_400_000;
const DEFAULT_VALIDITY_DAYS = 365;
const SALT_BYTES = 32;
/** Digest ids are below 2^31 (ISO 18013-5 §9.1.2.4). */
const MAX_DIGEST_ID = 2 ** 31 - 1;

/** What issuing needs. */
export interface IssuingParts {
  certificates: Certificates;
  random: Random;
}

type Items = Map<string, Library.IssuerSignedItem[]>;

/** Issues an IssuerSigned (ISO 18013-5 §8.3.2.1.2.2) as base64url of its CBOR (OpenID4VCI §A.2.4). @throws DomainError `BadRequest`, and as the signer */
export async function issueCredential(
  content: CredentialContent,
  signer: Signer,
  parts: IssuingParts,
): Promise<string> {
  const library = await import('@owf/mdoc');
  const { DeviceKey, IssuerAuth, IssuerNamespaces, IssuerSigned } = library;
  const { leaf, chain, algorithm } = documentSigner(content, signer, parts.certificates);
  const items = createItems(content, parts.random, library);
  const [certificate] = chain;
  const issuerAuth = await IssuerAuth.create(
    {
      payload: createSecurityObject({ content, leaf, items }, library).encode({ asDataItem: true }),
      protectedHeaders: new Map([[COSE_HEADER.ALG, algorithm]]),
      unprotectedHeaders: new Map([[COSE_HEADER.X5CHAIN, chain.length === 1 ? certificate : chain]]),
      // The library passes it to the callback, which does not need it.
      signingKey: DeviceKey.fromDecodedStructure(deviceKeyOf(signer.publicJwk, library).decodedStructure),
    },
    { cose: { sign1: { sign: ({ toBeSigned }) => signer.sign(toBeSigned), verify: neverCalled }, mac0: NO_MAC } },
  );
  const issuerNamespaces = IssuerNamespaces.create({ issuerNamespaces: items });
  const bytes = IssuerSigned.create({ issuerNamespaces, issuerAuth }).encode();
  at(['document'], () => checkCbor(bytes));
  return base64url(bytes);
}

const neverCalled = (): never => {
  throw new Error('Issuing neither verifies nor makes a MAC');
};
const NO_MAC = { sign: neverCalled, verify: neverCalled };

/** The elements with their salts and digest ids, both random, so that neither says anything of a withheld element. */
function createItems({ document, elementTypes }: CredentialContent, random: Random, library: typeof Library): Items {
  const items: Items = new Map();
  for (const [namespace, elements] of Object.entries(document)) {
    if (!isObject(elements) || Object.keys(elements).length === 0)
      throw invalidField(['document', namespace], 'must be an object with the elements of this namespace');
    const values = new ElementValues(library, namespace);
    const { members } = memberType(elementTypes, namespace) ?? {};
    const ids = digestIds(random);
    const created = Object.entries(elements).map(([name, value]) =>
      library.IssuerSignedItem.fromOptions({
        digestId: ids.next().value,
        random: random.bytes(SALT_BYTES),
        elementIdentifier: name,
        elementValue: values.of({ name, type: memberType(members, name) }, value, ['document', namespace, name]),
      }),
    );
    items.set(namespace, created);
  }
  if (items.size === 0) throw invalidField(['document'], 'must have at least one namespace with elements');
  return items;
}

/** Random digest ids of one namespace, each once. */
function* digestIds(random: Random): Generator<number, never> {
  const used = new Set<number>();
  for (;;) {
    const id = Buffer.from(random.bytes(4)).readUInt32BE() & MAX_DIGEST_ID;
    if (!used.has(id)) yield id;
    used.add(id);
  }
}

interface SecurityObjectParts {
  content: CredentialContent;
  leaf: ParsedCertificate;
  items: Items;
}

/** The MobileSecurityObject (ISO 18013-5 §9.1.2.4). */
function createSecurityObject(
  { content, leaf, items }: SecurityObjectParts,
  library: typeof Library,
): Library.MobileSecurityObject {
  const { DeviceKeyInfo, MobileSecurityObject, TypedMap, ValueDigests } = library;
  const { type: docType, holder, status, transactionDataTypes } = content;
  if (!isText(docType)) throw invalidField(['type'], 'is required: the document type of the mdoc');
  if (!holder.jwk) throw invalidField(['holder'], 'has no key, and an mdoc is bound to a key');
  const keyAuthorizations = transactionDataTypes?.length
    ? { keyAuthorizations: authorizeTransactionData(transactionDataTypes, library) }
    : {};
  const created = MobileSecurityObject.create({
    digestAlgorithm: 'SHA-256',
    docType,
    valueDigests: ValueDigests.create({ digests: digestsOf(items) }),
    deviceKeyInfo: DeviceKeyInfo.create({ deviceKey: deviceKeyOf(holder.jwk, library), ...keyAuthorizations }),
    validityInfo: createValidity(content, leaf, library),
  });
  if (status === undefined) return created;
  const members = [...created.decodedStructure, ['status', at(['status'], () => encodeStatus(status))]];
  // The library keeps members that it does not know, such as those of the second edition.
  return MobileSecurityObject.fromDecodedStructure(new TypedMap(members as never));
}

const digestsOf = (items: Items): Map<string, Map<number, Uint8Array>> =>
  new Map(
    [...items].map(([namespace, elements]) => [
      namespace,
      new Map(elements.map((item) => [item.digestId, digest('sha256', item.encode({ asDataItem: true }))])),
    ]),
  );

/** The device may sign the hash of these types of transaction data and nothing else. */
const authorizeTransactionData = (types: string[], { KeyAuthorizations }: typeof Library): Library.KeyAuthorizations =>
  KeyAuthorizations.create({ dataElements: new Map(types.map((type) => [type, Object.values(TRANSACTION_DATA)])) });

/** Valid from now for the given days, and never longer than the document signer certificate. */
function createValidity(
  { issuedAt, validityDays = DEFAULT_VALIDITY_DAYS }: CredentialContent,
  { notAfter }: ParsedCertificate,
  { ValidityInfo }: typeof Library,
): Library.ValidityInfo {
  if (!Number.isSafeInteger(validityDays) || validityDays < 1)
    throw invalidField(['validityDays'], 'must be a whole number of days, at least 1');
  const signed = new Date(issuedAt);
  const validUntil = new Date(Math.min(issuedAt + validityDays * DAY_MS, notAfter));
  return ValidityInfo.create({ signed, validFrom: signed, validUntil });
}
