/** A value that a path found, and where it stands: member names and list positions. */
export interface LocatedValue {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

/** Compiles RFC 9535 JSONPath. */
export interface JsonPaths {
  /** @throws DomainError `BadRequest` when the path is not valid. The result returns the matched values in document order. */
  compile(path: string): (document: unknown) => unknown[];
  /** The same with the place of each value. @throws as `compile` */
  locate(path: string): (document: unknown) => LocatedValue[];
}
