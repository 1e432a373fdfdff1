import type { Schemas } from '../../../client/client.ts';
import type { State } from '../../parts/cards/state-word.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { useLoad } from '../../shell/load.tsx';

type Credential = Schemas['WalletCredential'];
type Entry = Schemas['CredentialStatus'];

/** What was asked while a page is open, by the id of the credential: one that is shown again is not asked for again. */
export type Asked = Map<string, Promise<Outcome<Entry[]>>>;

/** Whether a credential is good now; the server reads the status lists of those that have an entry. */
export function useCredentialState({ wallet, id, validUntil, hasStatus }: Credential, asked: Asked = new Map()): State {
  const params = { path: { wallet, credentialId: id } };
  const isOver = validUntil !== undefined && Date.parse(validUntil) <= Date.now();
  const isAsked = hasStatus && !isOver;
  const { data, failure } = useLoad(() => {
    const call = isAsked
      ? (asked.get(id) ?? ask(api.GET('/wallet-api/wallet/{wallet}/credentials/{credentialId}/status', { params })))
      : Promise.resolve<Outcome<Entry[]>>({ ok: true, data: [] });
    asked.set(id, call);
    return call;
  }, id);
  if (isOver) return 'expired';
  if (!isAsked) return 'good';
  if (failure) return 'unknown';
  return data ? stateOf(data) : 'checking';
}

function stateOf(entries: readonly Entry[]): State {
  const isSet = (purpose: string): boolean => entries.some(({ type, result }) => result && type === purpose);
  if (isSet('revocation')) return 'revoked';
  return isSet('suspension') ? 'suspended' : 'good';
}
