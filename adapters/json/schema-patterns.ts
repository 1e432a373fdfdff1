import { DomainError } from '../../domain/foundation/errors.ts';
import { compilePattern, type LinearPattern } from './linear-pattern.ts';

/** Instructions of all patterns of one schema. */
const MAX_SIZE = 10_000;
/** Steps of matching in one validation (instructions × characters): about 0.2 s at the slowest. */
const MAX_STEPS = 8_000_000;
/** No longer text matches a pattern. */
const MAX_CHARACTERS = 65_536;

/** The patterns of one schema, with a limit to the work that they cause in one validation. */
export class SchemaPatterns {
  readonly #patterns = new Map<string, LinearPattern>();
  #size = 0;
  #steps = 0;

  /** Memory that the compiled patterns take at most. */
  get bytes(): number {
    return [...this.#patterns.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether the limit was reached since `start`; the answers of `test` were then without meaning. */
  get isExhausted(): boolean {
    return this.#steps > MAX_STEPS;
  }

  /** @throws DomainError `BadRequest` */
  add(pattern: string): void {
    const compiled = compilePattern(pattern);
    this.#size += compiled.size;
    if (this.#size > MAX_SIZE)
      throw new DomainError('BadRequest', 'the JSON Schema has too many or too large patterns');
    this.#patterns.set(pattern, compiled);
  }

  /** Begins a validation. */
  start(): void {
    this.#steps = 0;
  }

  /** The pattern as Ajv calls it. */
  get(pattern: string): { test(text: string): boolean; toString(): string } {
    const compiled = this.#patterns.get(pattern);
    if (!compiled) throw new DomainError('BadRequest', 'the JSON Schema has a pattern where none is expected');
    return { test: (text) => this.#test(compiled, text), toString: () => pattern };
  }

  #test(pattern: LinearPattern, text: string): boolean {
    if (text.length > MAX_CHARACTERS) return false;
    this.#steps += pattern.size * (text.length + 1);
    return !this.isExhausted && pattern.test(text);
  }
}
