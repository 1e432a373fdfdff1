/** One violation of a JSON Schema. */
export interface SchemaViolation {
  /** JSON Pointer into the validated value. */
  path: string;
  /** JSON Pointer into the schema. */
  schemaPath: string;
  message: string;
}

/** A compiled schema: an empty list means valid. */
export type SchemaCheck = (value: unknown) => SchemaViolation[];

/** JSON Schema (draft-07 and 2020-12) for schemas of callers: no remote references, patterns in linear time. */
export interface JsonSchemas {
  /** @throws DomainError `BadRequest` when the schema or a pattern is not valid or not supported. */
  compile(schema: unknown): Promise<SchemaCheck>;
  /** Whether `compile` would take the schema, at once: for those of configurations. @throws as `compile` */
  check(schema: unknown): void;
}
