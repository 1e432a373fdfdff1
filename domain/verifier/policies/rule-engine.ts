/** Rules of a caller, and the question that they answer. */
export interface RuleQuery {
  /** The URL of the engine. */
  server: string;
  /** The name of the rules within `path`. */
  name: string;
  /** The path of the package that the rules are in. */
  path: string;
  rules: string;
  input: unknown;
}

/** Evaluates rules of callers. */
export interface RuleEngine {
  /**
   * Returns the values of the rules; undefined when they have none.
   * @throws DomainError `AddressRefused`, `UpstreamFailed`, `UpstreamTimeout`, `Busy`
   */
  evaluate(query: RuleQuery): Promise<unknown>;
}
