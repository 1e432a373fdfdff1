import { fromBase64 } from '../../domain/foundation/bytes.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { parseIso } from '../../domain/foundation/time.ts';
import type { ListedCertificate, TrustListContent } from '../../ports/codecs/trust-lists.ts';
import { DIGEST_ALGORITHMS, ENVELOPED, SIGNATURE_ALGORITHMS, TRANSFORMS } from './xml-algorithms.ts';
import { childrenOf, type ParsedXml, parseXml, refusedList } from './xml-elements.ts';
import { type XmlNode, xmlLibraries } from './xml-library.ts';

const TSL = 'http://uri.etsi.org/02231/v2#';
const DS = 'http://www.w3.org/2000/09/xmldsig#';

/** A list in XML (ETSI TS 119 612) and the certificates of its signature. */
interface XmlList {
  chain: Uint8Array[];
  content: TrustListContent;
}

/** Reads a list without its signature. @throws DomainError `BadRequest` */
export const readXmlList = (text: string): XmlList =>
  wrapped(() => {
    const parsed = parseXml(text);
    const signature = signatureIn(parsed);
    return { chain: signature ? certificatesOf(signature) : [], content: contentOf(parsed.root) };
  });

/**
 * Reads what the key signed of a list, and nothing else: the canonical text of its outermost element, without the
 * signature. Undefined when the key did not sign it. @throws DomainError `BadRequest`
 */
export const readSignedXmlList = (text: string, keyPem: string): TrustListContent | undefined =>
  wrapped(() => {
    const signed = signedText(text, keyPem);
    return signed === undefined ? undefined : contentOf(parseXml(signed).root);
  });

/** The libraries throw errors of many classes, also for signatures that are not valid. */
function wrapped<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isDomainError(cause)) throw cause;
    throw refusedList('has a signature that cannot be verified');
  }
}

function signedText(text: string, keyPem: string): string | undefined {
  const parsed = parseXml(text);
  const signature = signatureIn(parsed);
  if (!signature) return undefined;
  const { SignedXml } = xmlLibraries();
  const check = new SignedXml({ publicCert: keyPem });
  check.SignatureAlgorithms = SIGNATURE_ALGORITHMS;
  check.HashAlgorithms = DIGEST_ALGORITHMS;
  check.CanonicalizationAlgorithms = Object.fromEntries(
    Object.entries(check.CanonicalizationAlgorithms).filter(([name]) => TRANSFORMS.includes(name)),
  );
  check.loadSignature(signature);
  if (!isValid(() => check.checkSignature(text))) return undefined;
  const whole = [
    '',
    ...['Id', 'ID', 'id'].flatMap((name) => parsed.root.getAttribute?.(name) || []).map((id) => `#${id}`),
  ];
  const covering = check.getReferences().filter(({ uri }) => whole.includes(uri));
  const [reference, ...others] = covering;
  if (!reference?.signedReference || others.length > 0 || !reference.transforms.includes(ENVELOPED))
    throw refusedList('has a signature that is not of the whole list');
  return reference.signedReference;
}

const INVALID = 'invalid signature';

/** The library throws for a wrong value of the signature and returns false for a wrong digest. */
function isValid(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(INVALID)) return false;
    throw error;
  }
}

/** The one signature directly below the outermost element; there is no other, nor parts of another. */
function signatureIn({ document, root }: ParsedXml): XmlNode | undefined {
  const [signature, ...others] = childrenOf(root, DS, 'Signature');
  const most = signature ? 1 : 0;
  const parts = ['Signature', 'SignedInfo', 'SignatureValue', 'KeyInfo'];
  const isAmbiguous = parts.some((name) => document.getElementsByTagNameNS('*', name).length > most);
  if (others.length > 0 || isAmbiguous) throw refusedList('has more than one signature, or one in another place');
  if (signature && firstElement(signature)?.localName !== 'SignedInfo')
    throw refusedList('has a signature that does not begin with what is signed');
  return signature;
}

function firstElement(parent: XmlNode): XmlNode | undefined {
  let node = parent.firstChild;
  while (node && node.nodeType !== 1) node = node.nextSibling;
  return node ?? undefined;
}

function certificatesOf(signature: XmlNode): Uint8Array[] {
  const data = childrenOf(signature, DS, 'KeyInfo').flatMap((info) => childrenOf(info, DS, 'X509Data'));
  return data.flatMap((one) => childrenOf(one, DS, 'X509Certificate')).map(certificateIn);
}

function certificateIn(element: XmlNode): Uint8Array {
  const der = fromBase64((element.textContent ?? '').replaceAll(/\s/g, ''));
  if (!der?.length) throw refusedList('has a certificate that is not base64');
  return der;
}

function contentOf(root: XmlNode): TrustListContent {
  if (root.namespaceURI !== TSL || root.localName !== 'TrustServiceStatusList')
    throw refusedList('is not a TrustServiceStatusList');
  const [scheme] = below(root, 'SchemeInformation');
  if (!scheme) throw refusedList('has no SchemeInformation');
  if (below(scheme, 'SchemeExtensions', 'Extension').some((one) => one.getAttribute?.('Critical') === 'true'))
    throw refusedList('has a critical extension that is not supported');
  const nextUpdate = textOf(scheme, 'NextUpdate', 'dateTime');
  return {
    type: textOf(scheme, 'TSLType'),
    issuedAt: dateOf(textOf(scheme, 'ListIssueDateTime'), 'ListIssueDateTime'),
    ...(nextUpdate !== undefined && { nextUpdate: dateOf(nextUpdate, 'NextUpdate') }),
    entries: below(root, 'TrustServiceProviderList', 'TrustServiceProvider').flatMap((provider, entity) =>
      below(provider, 'TSPServices', 'TSPService', 'ServiceInformation').flatMap((one) => entriesOf(one, entity)),
    ),
  };
}

/** One service has one or more certificates of one key (ETSI TS 119 612 §5.5.3). */
function entriesOf(service: XmlNode, entity: number): ListedCertificate[] {
  const since = textOf(service, 'StatusStartingTime');
  const facts = {
    entity,
    serviceType: textOf(service, 'ServiceTypeIdentifier'),
    status: textOf(service, 'ServiceStatus'),
    ...(since !== undefined && { statusSince: dateOf(since, 'StatusStartingTime') }),
  };
  return below(service, 'ServiceDigitalIdentity', 'DigitalId', 'X509Certificate').map((element) => ({
    certificate: certificateIn(element),
    ...facts,
  }));
}

const below = (parent: XmlNode, ...names: string[]): XmlNode[] =>
  names.reduce<XmlNode[]>((parents, name) => parents.flatMap((one) => childrenOf(one, TSL, name)), [parent]);

const textOf = (parent: XmlNode, ...names: string[]): string | undefined =>
  below(parent, ...names)[0]?.textContent?.trim() || undefined;

function dateOf(text: string | undefined, name: string): number {
  const ms = parseIso(text ?? '');
  if (ms === undefined) throw refusedList(`has no date as ${name}`);
  return ms;
}
