import type { Schemas } from '../../../client/client.ts';
import { labelOf } from '../../forms/labels.ts';
import { isTechnical, pictureOf, shortName, shortType, textOf } from '../../parts/cards/claims.ts';
import { Notice } from '../../parts/notice.tsx';
import { Claims } from '../../parts/summary.tsx';
import { day, isCalendarDay, texts } from '../../texts/texts.ts';
import { issuerOf, nameOf, validityOf } from './card.tsx';
import type { Asked, Candidate, Query } from './request.ts';

interface OptionsProps {
  type: 'radio' | 'checkbox';
  name: string;
  legend: string;
  /** Values with what is shown of them. */
  options: readonly (readonly [value: string, text: string, more?: string])[];
  chosen: readonly string[];
  choose: (value: string) => void;
}

/** Options to choose one or several of, none of which is chosen beforehand. */
const Options = ({ type, name, legend, options, chosen, choose }: OptionsProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(([value, text, more]) => (
      <label key={value} class="choice">
        <input type={type} name={name} checked={chosen.includes(value)} onChange={() => choose(value)} />
        <span>
          {text} {more === undefined ? null : <span class="quiet">{more}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);

interface RadiosProps extends Omit<OptionsProps, 'type' | 'chosen'> {
  chosen: string | undefined;
}

/** One choice of several. */
export const Radios = ({ chosen, ...options }: RadiosProps) => (
  <Options type="radio" {...options} chosen={chosen === undefined ? [] : [chosen]} />
);

/** What a query asks for in words: its name, else its types. */
export const askedFor = ({ id, name, types }: Query): string => name ?? (types.map(shortType).join(', ') || id);

interface QueryChoiceProps {
  query: Query;
  known: Asked['known'];
  /** Undefined while nothing is decided. */
  chosen: readonly string[] | undefined;
  choose: (ids: readonly string[]) => void;
  /** Whether it may stay without an answer. */
  isFree?: boolean;
}

/** The credentials for a query: a choice where there are several, and what the verifier would learn of them. */
export const QueryChoice = ({ query, known, chosen, choose, isFree = false }: QueryChoiceProps) => {
  const candidates = query.credentials.filter(({ id }) => chosen?.includes(id));
  return (
    <>
      {query.credentials.length > 1 || isFree ? (
        <CredentialOptions query={query} known={known} chosen={chosen} choose={choose} isFree={isFree} />
      ) : null}
      {query.omitted > 0 ? <p class="quiet">{texts().wallet.omitted(query.omitted)}</p> : null}
      {candidates.map((candidate) => (
        <Disclosure key={candidate.id} candidate={candidate} credential={known.get(candidate.id)} />
      ))}
    </>
  );
};

/** Boxes where the verifier takes several. */
const CredentialOptions = ({ query, known, chosen, choose, isFree = false }: QueryChoiceProps) => {
  const t = texts().wallet;
  const { id: name, isMultiple } = query;
  const options = query.credentials.map((one) => [one.id, ...describe(one, known.get(one.id))] as const);
  const legend = `${askedFor(query)}: ${isMultiple ? t.chooseSeveral(isFree) : t.choose}`;
  const ids = query.credentials.map(({ id }) => id);
  const toggle = (id: string) => choose(ids.filter((one) => (one === id) !== (chosen ?? []).includes(one)));
  return isMultiple ? (
    <Options type="checkbox" {...{ name, legend, options }} chosen={chosen ?? []} choose={toggle} />
  ) : (
    <Radios
      {...{ name, legend }}
      options={isFree ? [...options, ['', t.nothing]] : options}
      chosen={chosen && (chosen[0] ?? '')}
      choose={(id) => choose(id === '' ? [] : [id])}
    />
  );
};

type Credential = Schemas['WalletCredential'];

/** The first of what would be shown, by which cards of one name differ. */
const firstShown = ({ disclosed }: Candidate): string[] =>
  disclosed
    .filter((claim) => !isTechnical(claim) && pictureOf(claim.value) === undefined)
    .slice(0, 2)
    .map(({ value }) => shortName(isCalendarDay(value) ? day(value) : textOf(value)));

function describe(one: Candidate, credential: Credential | undefined): [name: string, more: string] {
  const t = texts().wallet;
  const name = [credential ? nameOf(credential) : shortType(one.type), ...firstShown(one)].join(' · ');
  if (!credential) return [name, t.issuedBy(shortName(one.issuer))];
  return [name, `${t.issuedBy(issuerOf(credential))}. ${validityOf(credential)}`];
}

interface DisclosureProps {
  candidate: Candidate;
  credential: Credential | undefined;
}

/** Everything that the verifier would learn, and what it would not. */
const Disclosure = ({ candidate, credential }: DisclosureProps) => {
  const t = texts().wallet;
  const { type, disclosed, withheld, isWhole, disclosurePolicy: policy } = candidate;
  const labels = credential?.display?.claims;
  return (
    <section class="panel">
      <h2 translate={false}>{credential ? nameOf(credential) : shortType(type)}</h2>
      {policy && policy.outcome !== 'allowed' ? (
        <Notice kind="warning">
          <p>{t.policy[policy.outcome]}</p>
          {policy.infoUri === undefined ? null : <p translate={false}>{policy.infoUri}</p>}
        </Notice>
      ) : null}
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
