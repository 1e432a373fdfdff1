import type { Schemas } from '../../../client/client.ts';
import { labelOf } from '../../forms/labels.ts';
import { isTechnical, shortName, shortType } from '../../parts/cards/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Claims } from '../../parts/summary.tsx';
import { texts } from '../../texts/texts.ts';
import { issuerOf, nameOf, validityOf } from './card.tsx';
import type { Asked, Candidate, Query } from './request.ts';

interface RadiosProps {
  name: string;
  legend: string;
  /** Values with what is shown of them. */
  options: readonly (readonly [value: string, text: string, more?: string])[];
  chosen: string | undefined;
  choose: (value: string) => void;
}

/** One choice of several, none of which is made beforehand. */
export const Radios = ({ name, legend, options, chosen, choose }: RadiosProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(([value, text, more]) => (
      <label key={value} class="choice">
        <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
        <span>
          {text} {more === undefined ? null : <span class="quiet">{more}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);

/** What a query asks for in words: its name, else its types. */
export const askedFor = ({ id, name, types }: Query): string => name ?? (types.map(shortType).join(', ') || id);

interface QueryChoiceProps {
  query: Query;
  known: Asked['known'];
  chosen: string | undefined;
  choose: (id: string) => void;
  /** Whether it may stay without an answer. */
  isFree?: boolean;
}

/** The credential for a query: a choice where there are several, and what the verifier would learn of it. */
export const QueryChoice = ({ query, known, chosen, choose, isFree = false }: QueryChoiceProps) => {
  const t = texts().wallet;
  const candidate = query.credentials.find(({ id }) => id === chosen);
  const options = query.credentials.map((one) => [one.id, ...describe(one, known.get(one.id))] as const);
  return (
    <>
      {options.length > 1 || isFree ? (
        <Radios
          name={query.id}
          legend={`${askedFor(query)}: ${t.choose}`}
          options={isFree ? [...options, ['', t.nothing]] : options}
          chosen={chosen}
          choose={choose}
        />
      ) : null}
      {query.omitted > 0 ? <p class="quiet">{t.omitted(query.omitted)}</p> : null}
      {candidate ? <Disclosure candidate={candidate} credential={known.get(candidate.id)} /> : null}
    </>
  );
};

type Credential = Schemas['WalletCredential'];

function describe({ type, issuer }: Candidate, credential: Credential | undefined): [name: string, more: string] {
  const t = texts().wallet;
  if (!credential) return [shortType(type), t.issuedBy(shortName(issuer))];
  return [nameOf(credential), `${t.issuedBy(issuerOf(credential))}. ${validityOf(credential)}`];
}

interface DisclosureProps {
  candidate: Candidate;
  credential: Credential | undefined;
}

/** Everything that the verifier would learn, and what it would not. */
const Disclosure = ({ candidate: { type, disclosed, withheld, isWhole }, credential }: DisclosureProps) => {
  const t = texts().wallet;
  const labels = credential?.display?.claims;
  return (
    <section class="panel">
      <h2 translate={false}>{credential ? nameOf(credential) : shortType(type)}</h2>
      <h3>{t.shares}</h3>
      <Claims claims={disclosed.filter((claim) => !isTechnical(claim))} labels={labels} />
      <details>
        <summary>{texts().technical}</summary>
        <Claims claims={disclosed.filter(isTechnical)} labels={labels} />
      </details>
      <h3>{t.keeps}</h3>
      {isWhole ? <p>{t.keepsNothing}</p> : <Claims claims={withheld} labels={labels} />}
    </section>
  );
};

/** What is asked for and not in the wallet: by its name or types, with the claims that it would have to have. */
export const Missing = ({ queries }: { queries: readonly Query[] }) => {
  const t = texts().wallet;
  const missing = queries.filter(({ credentials }) => credentials.length === 0);
  return (
    <Notice kind="warning" title={t.cannot} role="status">
      {missing.map((query) => (
        <p key={query.id}>
          {t.missing(askedFor(query))} {query.claims.length > 0 ? t.missingClaims(claimNames(query)) : null}
        </p>
      ))}
    </Notice>
  );
};

const claimNames = ({ claims }: Query): string[] => claims.map((path) => labelOf(path));
