import type { Telemetry } from '../../../adapters/metrics/open-telemetry.ts';

/** Telemetry that keeps each name and text of a span, instead of sending them. */
export function recordTelemetry(): { telemetry: Telemetry; texts: Set<string> } {
  const texts = new Set<string>();
  const keep = (facts: Readonly<Record<string, string | number>> = {}, name = ''): void => {
    for (const text of [name, ...Object.values(facts)]) if (typeof text === 'string' && text) texts.add(text);
  };
  const telemetry: Telemetry = {
    tracing: {
      span: ({ name, facts }, work) => {
        keep(facts, name);
        return work({ note: keep });
      },
      headers: () => ({}),
    },
    sink: () => undefined,
    close: async () => undefined,
  };
  return { telemetry, texts };
}
