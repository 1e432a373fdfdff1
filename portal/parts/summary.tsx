import type { ComponentChildren } from 'preact';
import { labelOf } from '../forms/labels.ts';
import { ClaimValue } from './cards/claim-value.tsx';
import type { Claim } from './cards/claims.ts';

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

interface ClaimsProps {
  claims: readonly Claim[];
  /** How the issuer labels them. */
  labels?: Parameters<typeof labelOf>[1];
}

/** Claims with their values. */
export const Claims = ({ claims, labels }: ClaimsProps) => (
  <Summary
    rows={claims.map(({ path, value }) => [labelOf(path, labels), <ClaimValue key={path.join('.')} value={value} />])}
    isData
  />
);
