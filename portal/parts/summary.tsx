import type { ComponentChildren } from 'preact';
import { type Claim, labelOf, textOf } from './claims.ts';

interface SummaryProps {
  rows: readonly (readonly [name: string, value: ComponentChildren])[];
  /** Whether names and values are data, which no translator may change. */
  isData?: boolean;
}

/** Names with their values. */
export const Summary = ({ rows, isData = false }: SummaryProps) => (
  <dl class="summary" translate={!isData}>
    {rows.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** Claims with their values. */
export const Claims = ({ claims }: { claims: readonly Claim[] }) => (
  <Summary rows={claims.map(({ path, value }) => [labelOf(path), textOf(value)] as const)} isData />
);
