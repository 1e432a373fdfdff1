/** One violation of a JSON Schema. */
export interface SchemaViolation {
  /** JSON Pointer into the checked value. */
  path: string;
  /** JSON Pointer into the schema. */
  schemaPath: string;
  message: string;
}

/** A compiled schema: an empty list means valid. */
export type SchemaCheck = (value: unknown) => SchemaViolation[];

/** JSON Schema (draft-07) for schemas that come from callers: no remote references, no patterns that backtrack badly. */
export interface JsonSchemas {
  /** @throws DomainError `BadRequest` when the schema is not valid or holds a dangerous pattern. */
  compile(schema: unknown): Promise<SchemaCheck>;
}
