import { useState } from 'preact/hooks';
import { type Path, pointerOf } from '../forms/pointers.ts';
import { CheckField, Field, SelectField } from '../parts/field.tsx';
import { texts } from '../texts/texts.ts';
import { cardFor, claimLabel, nameOf, type OfferedCard } from './offered.ts';
import {
  ASKED_FORMATS,
  type AskedCredential,
  type ClaimPath,
  claimsOf,
  credentialsOf,
  isAnyOf,
  isSamePath,
  metaOf,
  newCredential,
  typeOf,
  withClaim,
  withCredentials,
} from './query.ts';

interface QueryFieldsProps {
  query: unknown;
  change(query: unknown): void;
  /** What the issuers here offer. */
  cards: readonly OfferedCard[];
  /** Where the query is in what is sent. */
  at: Path;
}

/** What is asked for: credentials with their claims. */
export const QueryFields = ({ query, change, cards, at }: QueryFieldsProps) => {
  const t = texts().queries;
  const all = credentialsOf(query);
  const put = (changed: readonly AskedCredential[], isAny?: boolean): void =>
    change(withCredentials(query, changed, isAny));
  return (
    <fieldset id={pointerOf(at)} tabIndex={-1}>
      <legend>{t.query}</legend>
      {all.map((credential, index) => (
        <Credential
          key={credential.id}
          at={[...at, 'credentials', index]}
          credential={credential}
          index={index}
          cards={cards}
          put={(changed) => put(all.with(index, changed))}
          remove={all.length > 1 ? () => put(all.toSpliced(index, 1)) : undefined}
        />
      ))}
      {all.length > 1 ? (
        <SelectField
          id={pointerOf([...at, 'credential_sets'])}
          label={t.together}
          value={isAnyOf(query) ? 'any' : 'all'}
          onValue={(chosen) => put(all, chosen === 'any')}
          options={[
            ['all', t.all],
            ['any', t.any],
          ]}
        />
      ) : null}
      <button type="button" onClick={() => put([...all, newCredential(all, cards[0])])}>
        {t.add}
      </button>
    </fieldset>
  );
};

interface CredentialProps {
  at: Path;
  credential: AskedCredential;
  index: number;
  cards: readonly OfferedCard[];
  put(credential: AskedCredential): void;
  remove?: () => void;
}

/** The choice that is no credential of the issuers here. */
const BY_HAND = 'other';

const Credential = ({ at, credential, index, cards, put, remove }: CredentialProps) => {
  const t = texts().queries;
  const card = cardFor(credential, cards);
  const name = card ? nameOf(card) : typeOf(credential);
  const choose = (chosen: string): void => {
    const { format, type } = cards[Number(chosen)] ?? { format: credential.format, type: '' };
    const { claims: _, ...rest } = credential;
    put({ ...rest, format, meta: metaOf(format, type) });
  };
  return (
    <fieldset id={pointerOf(at)} tabIndex={-1}>
      <legend>{t.credential(index + 1, name)}</legend>
      {cards.length > 0 ? (
        <SelectField
          id={pointerOf([...at, 'id'])}
          label={t.card}
          value={card ? String(cards.indexOf(card)) : BY_HAND}
          onValue={choose}
          options={[
            ...cards.map((one, place) => [String(place), t.cardIn(nameOf(one), t.formats[one.format])] as const),
            [BY_HAND, t.byHand],
          ]}
        />
      ) : null}
      {card ? null : <TypeFields at={at} credential={credential} put={put} />}
      <ClaimChoice at={at} credential={credential} card={card} put={put} />
      {remove ? (
        <button type="button" onClick={remove}>
          {t.remove(index + 1, name)}
        </button>
      ) : null}
    </fieldset>
  );
};

/** The type of a credential that no issuer here offers. */
const TypeFields = ({ at, credential, put }: Pick<CredentialProps, 'at' | 'credential' | 'put'>) => {
  const t = texts().queries;
  const { format } = credential;
  const write = (name: string, type: string): void => put({ ...credential, format: name, meta: metaOf(name, type) });
  return (
    <>
      <SelectField
        id={pointerOf([...at, 'format'])}
        label={t.format}
        value={format}
        onValue={(name) => write(name, typeOf(credential))}
        options={ASKED_FORMATS.map((name) => [name, t.formats[name] ?? name] as const)}
      />
      <Field
        id={pointerOf([...at, 'meta'])}
        label={t.types[format] ?? t.type}
        hint={t.typeHint}
        value={typeOf(credential)}
        onValue={(type) => write(format, type)}
        autocomplete="off"
      />
    </>
  );
};

type ClaimChoiceProps = Pick<CredentialProps, 'at' | 'credential' | 'put'> & { card: OfferedCard | undefined };

const ClaimChoice = ({ at, credential, card, put }: ClaimChoiceProps) => {
  const t = texts().queries;
  const asked = claimsOf(credential);
  const offered = card?.claims ?? [];
  const known = offered.map(({ path }) => path);
  const paths = [...known, ...asked.filter((path) => known.every((one) => !isSamePath(one, path)))];
  return (
    <fieldset id={pointerOf([...at, 'claims'])} tabIndex={-1}>
      <legend>{t.claims}</legend>
      {asked.length === 0 ? <p class="hint">{t.noClaims}</p> : null}
      {paths.map((path) => (
        <CheckField
          key={JSON.stringify(path)}
          id={pointerOf([...at, 'claims', path.join('/')])}
          isChecked={asked.some((one) => isSamePath(one, path))}
          onCheck={(isOn) => put(withClaim(credential, path, isOn))}
        >
          <span translate={false}>{claimLabel(path, offered)}</span>
        </CheckField>
      ))}
      {offered.length === 0 ? (
        <NewClaim id={pointerOf([...at, 'new'])} add={(path) => put(withClaim(credential, path, true))} />
      ) : null}
    </fieldset>
  );
};

const NewClaim = ({ id, add }: { id: string; add(path: ClaimPath): void }) => {
  const t = texts().queries;
  const [typed, setTyped] = useState('');
  const path = typed.split('/').filter((part) => part !== '');
  return (
    <>
      <Field
        id={id}
        label={t.claim}
        hint={t.claimHint}
        value={typed}
        onValue={setTyped}
        isOptional
        autocomplete="off"
      />
      <button
        type="button"
        onClick={() => {
          if (path.length > 0) add(path);
          setTyped('');
        }}
      >
        {t.addClaim}
      </button>
    </>
  );
};
