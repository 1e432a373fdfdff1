import type { Schemas } from '../../../client/client.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { inWallet, LINK_BODY } from './session.ts';

export type Description = Schemas['RequestDescription'];
export type Query = Schemas['DescribedQuery'];
export type Candidate = Schemas['DescribedCredential'];
type Credential = Schemas['WalletCredential'];
/** A credential with the query that it answers. */
type Selected = Exclude<Schemas['SelectedCredentials'][number], string>;
type Choice = Description['choices'][number];

export interface Asked {
  wallet: string;
  description: Description;
  /** The credentials that match, by their ids, as far as they are shown with their names. */
  known: ReadonlyMap<string, Credential>;
  /** The DIDs to log in as, where the verifier asks for a login. */
  dids: string[];
}

/** How many credentials are read for their names; of more the types are shown. */
const MOST_NAMED = 50;

export const readRequest = (request: string): Promise<Outcome<Asked>> =>
  inWallet(async (wallet) => {
    const path = { wallet };
    const described = await ask(
      api.POST('/wallet-api/wallet/{wallet}/exchange/describePresentationRequest', {
        params: { path },
        body: request,
        ...LINK_BODY,
      }),
    );
    if (!described.ok) return described;
    const { queries, login } = described.data;
    const ids = new Set(queries.flatMap(({ credentials }) => credentials.map(({ id }) => id)));
    const dids = login && (await ask(api.GET('/wallet-api/wallet/{wallet}/dids', { params: { path } })));
    if (dids && !dids.ok) return dids;
    return {
      ok: true,
      data: {
        wallet,
        description: described.data,
        known: await readAll(wallet, [...ids].slice(0, MOST_NAMED)),
        dids: dids?.data.map(({ did }) => did) ?? [],
      },
    };
  });

async function readAll(wallet: string, ids: readonly string[]): Promise<Map<string, Credential>> {
  const path = '/wallet-api/wallet/{wallet}/credentials/{credentialId}';
  const read = await Promise.all(
    ids.map((credentialId) => ask(api.GET(path, { params: { path: { wallet, credentialId } } }))),
  );
  return new Map(read.flatMap((one) => (one.ok ? [[one.data.id, one.data] as const] : [])));
}

/** What the user has chosen. */
export interface Chosen {
  /** The option of each choice between combinations, by its place; -1 for none of them. */
  options: Readonly<Record<number, number>>;
  /** The credentials for each query; none where it stays without an answer, undefined while that is not decided. */
  credentials: Readonly<Record<string, readonly string[] | undefined>>;
  did?: string;
}

/** The options that the wallet can answer, by their places. */
export const answerable = ({ options }: Choice, queries: readonly Query[]): number[] =>
  options.flatMap((ids, at) =>
    queries.every(({ id, credentials }) => !ids.includes(id) || credentials.length > 0) ? [at] : [],
  );

/** What is decided from the start: only that for which there is one way. */
export const decided = ({ dids, description: { queries, choices } }: Asked): Chosen => ({
  options: Object.fromEntries(
    choices.flatMap((choice, at) => {
      const [only, ...others] = [...answerable(choice, queries), ...(choice.isRequired ? [] : [-1])];
      return only !== undefined && others.length === 0 ? [[at, only]] : [];
    }),
  ),
  credentials: Object.fromEntries(
    queries.flatMap(({ id, isRequired, credentials: [only, ...others] }) =>
      only && others.length === 0 && (isRequired || isIn(choices, id)) ? [[id, [only.id]]] : [],
    ),
  ),
  did: dids.length === 1 ? dids[0] : undefined,
});

const isIn = (choices: readonly Choice[], id: string): boolean =>
  choices.some(({ options }) => options.some((ids) => ids.includes(id)));

/** The queries that the user answers, and those that may stay without an answer. */
export function toAnswer({ queries, choices }: Description, { options }: Chosen): { asked: Query[]; free: Query[] } {
  const wanted = new Set(choices.flatMap((choice, at) => choice.options[options[at] ?? -1] ?? []));
  const matched = queries.filter(({ credentials }) => credentials.length > 0);
  return {
    asked: matched.filter(({ id, isRequired }) => isRequired || wanted.has(id)),
    free: matched.filter(({ id, isRequired }) => !isRequired && !isIn(choices, id)),
  };
}

/** The credentials to share, with the queries that they answer; undefined while something is not decided. */
export function selectionOf({ description }: Asked, { credentials, options, did }: Chosen): Selected[] | undefined {
  const { asked, free } = toAnswer(description, { credentials, options });
  const isDecided =
    description.isAnswerable &&
    description.choices.every((_, at) => options[at] !== undefined) &&
    asked.every(({ id }) => (credentials[id] ?? []).length > 0) &&
    free.every(({ id, isMultiple }) => isMultiple || credentials[id] !== undefined) &&
    (!description.login || did !== undefined);
  const selected = [...asked, ...free].flatMap(({ id: queryId }) =>
    (credentials[queryId] ?? []).map((credentialId) => ({ queryId, credentialId })),
  );
  return isDecided && selected.length > 0 ? selected : undefined;
}
