import { createRequire } from 'node:module';

/** The part of an XML element that is read here. */
export interface XmlNode {
  readonly nodeType: number;
  readonly namespaceURI: string | null;
  readonly localName: string | null;
  readonly textContent: string | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  getAttribute?(name: string): string | null;
}

/** A document as @xmldom/xmldom builds it. */
export interface XmlDocument {
  readonly documentElement: XmlNode | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlNode>;
}

/** An algorithm that is created for each use. */
type Algorithm<T> = new () => T & { getAlgorithmName(): string };

interface Reference {
  uri: string;
  transforms: readonly string[];
  /** The canonical text that was signed; present after a successful check. */
  signedReference?: string;
}

/** One signature, as xml-crypto verifies it. */
interface XmlSignature {
  SignatureAlgorithms: Record<string, Algorithm<SignatureAlgorithm>>;
  HashAlgorithms: Record<string, Algorithm<{ getHash(text: string): string }>>;
  CanonicalizationAlgorithms: Record<string, Algorithm<unknown>>;
  loadSignature(node: XmlNode): void;
  checkSignature(text: string): boolean;
  getReferences(): Reference[];
}

/** Verifies the signature of canonical XML; the key is a PEM text. */
export interface SignatureAlgorithm {
  verifySignature(text: string, key: string, signature: string): boolean;
  getSignature(): never;
}

/**
 * What is used of @xmldom/xmldom and xml-crypto, loaded at the first call. Their own types are those of a browser's
 * documents, which would become types of the whole project.
 */
interface XmlLibraries {
  DOMParser: new (options: {
    errorHandler(): never;
  }) => {
    parseFromString(text: string, type: 'text/xml'): XmlDocument | undefined;
  };
  SignedXml: new (options: { publicCert: string }) => XmlSignature;
}

const load = createRequire(import.meta.url);

/** Loads the libraries for XML. */
export const xmlLibraries = (): XmlLibraries => ({ ...load('@xmldom/xmldom'), ...load('xml-crypto') });
