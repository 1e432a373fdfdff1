import { DomainError } from '../../domain/foundation/errors.ts';
import { type XmlDocument, type XmlNode, xmlLibraries } from './xml-library.ts';

/** The deepest nesting and the most tags of a document; a national list has some ten thousand. */
const MAX_DEPTH = 64;
const MAX_TAGS = 100_000;
/** The longest tag with its attributes, in characters: the parser takes quadratic time over many attributes. */
const MAX_TAG_LENGTH = 4096;

export const refusedList = (why: string): DomainError => new DomainError('BadRequest', `The trust list ${why}`);

/** A document and its outermost element. */
export interface ParsedXml {
  document: XmlDocument;
  root: XmlNode;
}

/** Parses XML without a document type. @throws DomainError `BadRequest` when it is not well-formed, too deep or too large */
export function parseXml(text: string): ParsedXml {
  checkTags(text);
  const { DOMParser } = xmlLibraries();
  const document = new DOMParser({ errorHandler: notWellFormed }).parseFromString(text, 'text/xml') ?? notWellFormed();
  return { document, root: document.documentElement ?? notWellFormed() };
}

function notWellFormed(): never {
  throw refusedList('is not well-formed XML');
}

/**
 * Looks at each `<` before the parser builds elements, also at those in comments and CDATA sections. An attribute with a
 * `>` hides a level; the number of tags is bounded all the same. @throws DomainError `BadRequest`
 */
export function checkTags(text: string): void {
  let [depth, count] = [0, 0];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    // A document type can define entities; a list needs none.
    if (text.startsWith('<!D', at) || text.startsWith('<!E', at)) throw refusedList('has a document type');
    depth += stepOf(text, at);
    count += 1;
    if (depth > MAX_DEPTH) throw refusedList(`is nested deeper than ${MAX_DEPTH}`);
    if (count > MAX_TAGS) throw refusedList(`has more than ${MAX_TAGS} tags`);
  }
}

/** By how much the tag at a place changes the depth. */
function stepOf(text: string, at: number): number {
  const next = text[at + 1];
  if (next === '!' || next === '?') return 0;
  const end = text.indexOf('>', at);
  if (end < 0 || end - at > MAX_TAG_LENGTH) throw refusedList(`has a tag of more than ${MAX_TAG_LENGTH} characters`);
  if (next === '/') return -1;
  return text[end - 1] === '/' ? 0 : 1;
}

const ELEMENT = 1;

/** The elements directly below one, of a namespace and a name. */
export function childrenOf(parent: XmlNode | undefined, namespace: string, name: string): XmlNode[] {
  const found: XmlNode[] = [];
  for (let node = parent?.firstChild ?? null; node; node = node.nextSibling)
    if (node.nodeType === ELEMENT && node.namespaceURI === namespace && node.localName === name) found.push(node);
  return found;
}
