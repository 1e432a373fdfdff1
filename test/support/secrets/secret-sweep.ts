import type { TestServer } from '../servers/server.ts';

interface Planted {
  name: string;
  forms: string[];
  /** The operations whose answers may contain it, because they are documented to. */
  shownBy: readonly string[];
}

/** Looks for planted secrets in everything that a server stores, writes and answers. */
export class SecretSweep {
  readonly #planted: Planted[] = [];
  readonly #texts: { source: string; text: string }[] = [];

  /** Plants a secret: its last characters identify it in any encoding. */
  plant(name: string, value: string, shownBy: readonly string[] = []): string {
    this.#planted.push({ name, forms: formsOf(coreOf(value)), shownBy });
    return value;
  }

  /** The names of what was planted. */
  get names(): string[] {
    return [...new Set(this.#planted.map(({ name }) => name))];
  }

  note(source: string, text: string): void {
    this.#texts.push({ source, text });
  }

  /** How many texts were noted for a source. */
  count(source: string): number {
    return this.#texts.filter((noted) => noted.source === source).length;
  }

  /** Each secret with the place where it was seen, unless an operation is documented to show it. */
  sightings(): string[] {
    const found = this.#texts.flatMap(({ source, text }) =>
      this.#planted
        .filter(({ forms, shownBy }) => !shownBy.includes(source) && forms.some((form) => text.includes(form)))
        .map(({ name }) => `${name} in ${source}`),
    );
    return [...new Set(found)].sort();
  }

  /** The names of the secrets that are in any of these texts. */
  namesIn(texts: readonly string[]): string[] {
    const all = texts.join('\n');
    const found = this.#planted.filter(({ forms }) => forms.some((form) => all.includes(form)));
    return [...new Set(found.map(({ name }) => name))].sort();
  }

  /** Secrets that an operation is documented to show and never showed. */
  unshown(): string[] {
    const isShown = ({ forms }: Planted, operation: string): boolean =>
      this.#texts.some(({ source, text }) => source === operation && forms.some((form) => text.includes(form)));
    return this.#planted.flatMap((secret) =>
      secret.shownBy
        .filter((operation) => !isShown(secret, operation))
        .map((operation) => `${secret.name} in ${operation}`),
    );
  }

  /** The server with every answer noted under the name of its operation. */
  watch(server: TestServer): TestServer {
    const call: TestServer['call'] = async (operationId, request) => {
      const answer = await server.call(operationId, request);
      const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
      this.note(operationId, [answer.status, ...headers, textOf(answer.body)].join('\n'));
      return answer;
    };
    return { ...server, call };
  }
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** A whole line of a PEM; of other values the end, which is the signature of a token. */
function coreOf(value: string): string {
  if (value.startsWith('-----BEGIN')) return value.split('\n')[2] ?? '';
  return value.slice(-60);
}

/** A text in clear, percent-encoded, in hexadecimal and in any alignment of base64. */
function formsOf(core: string): string[] {
  if (core.length < 8) throw new Error('Too short to differ from other texts');
  const inner = (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((shift) =>
      Buffer.from(`${'x'.repeat(shift)}${core}`)
        .toString(encoding)
        .replace(/=+$/, '')
        .slice(4, -4),
    ),
  );
  return [...new Set([core, encodeURIComponent(core), Buffer.from(core).toString('hex'), ...inner])];
}
