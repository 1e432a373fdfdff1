/** Compiles RFC 9535 JSONPath. */
export interface JsonPaths {
  /** @throws DomainError `BadRequest` when the path is not valid. The result returns the matched values in document order. */
  compile(path: string): (document: unknown) => unknown[];
  /** The same for the places of the matched values: member names and list positions. @throws DomainError `BadRequest` */
  locate(path: string): (document: unknown) => (string | number)[][];
}
