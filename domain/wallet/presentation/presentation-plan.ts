import type { CredentialToPresent, Handover, PresentationContent } from '../../../ports/credential-formats.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import type { ClaimPath } from '../../credentials/disclosure.ts';
import type { PresentableFormat } from '../../credentials/formats/formats.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import { containedKey, type HolderChoice, type SigningDid } from '../../holdings/dids.ts';
import type { ExchangePolicies, HolderCredentials, HolderDids } from '../../holdings/holder.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { CompiledQuery, Hint, QueryPorts } from '../../presentation/matching/compiled-query.ts';
import type { TransactionData } from '../../presentation/transaction-data.ts';
import type { ConsentedRequests } from './consented-requests.ts';
import { type ResolvedRequest, responseAddress } from './presentation-request.ts';
import { holdsSeveral, type PresentationOutline, planResponse } from './response-plan.ts';
import { type ResponseRecipient, recipientOf, recipientThumbprint } from './response-recipient.ts';
import { type SelectedCredential, selectNamed } from './selection.ts';
import { assign, compileFor } from './submission.ts';
import { assignTransactions, signedTransactions } from './transactions.ts';

/** The selection of the user. */
export interface PresentationAnswer {
  /** The link of the request. */
  link: string;
  /** `consentTo` the request that the user was shown; any other is refused. */
  consent?: string;
  /** Ids of credentials of the wallet, each with the query that it answers or all without. */
  selectedCredentials: string[] | SelectedCredential[];
  /** The DID to present as, in formats whose presentations name their holder; that of the first credential when absent. */
  did?: string | null;
  /** The DID to log in as; given exactly when the request asks for a login, which the user agrees to by it. */
  loginDid?: string;
  /** For the event log of the wallet; never sent. */
  note?: string;
}

/** One presentation of a response. */
export interface PlannedPresentation extends Pick<PresentationOutline, 'format' | 'isSigned'> {
  selected: StoredCredential[];
  /** In the order of `selected`, with what each shows. */
  credentials: CredentialToPresent[];
  transactions: TransactionData[];
}

/** A response to a request, before anything is signed. */
export interface PresentationPlan {
  request: ResolvedRequest;
  selected: StoredCredential[];
  presentations: PlannedPresentation[];
  /** Absent when the response is not encrypted. */
  recipient?: ResponseRecipient;
  /** The wallet's nonce in the session transcripts of drafts (ISO/IEC TS 18013-7 B.4.4). */
  mdocNonce: string;
  /** The parameters of the response; `signed` is in the order of `presentations`. */
  parameters(signed: string[]): JsonObject;
}

/** A presentation that is ready to be signed. */
export interface UnsignedPresentation {
  format: PresentableFormat;
  content: PresentationContent;
  holder: SigningDid;
}

/** Credentials with the queries that they answer. */
interface ChosenCredentials {
  selected: StoredCredential[];
  /** By their places in `selected`. */
  hints: Hint[];
  query: CompiledQuery;
  /** What the user wants to show for a query; undefined for what the verifier prefers. */
  shownFor?(queryId: string, index: number): ClaimPath[] | undefined;
}

const NAMED = { selectedCredentialOptions: ['selectedCredentials'] };

/** Plans what is presented for a selection of the user. */
export class PresentationPlanner {
  constructor(
    private readonly parts: {
      dids: HolderDids;
      credentials: Pick<HolderCredentials, 'usable' | 'takeCopy'>;
      policies: ExchangePolicies;
      consented: ConsentedRequests;
      matching: QueryPorts;
      clock: Clock;
      ids: Ids;
    },
  ) {}

  /**
   * Plans the response that shows of the selected credentials what is asked for, and authorizes the transactions.
   * @throws DomainError `BadRequest` naming `link` or `selectedCredentials`, and as `ConsentedRequests.answer`
   */
  async plan(walletId: string, answer: PresentationAnswer): Promise<PresentationPlan> {
    const request = await this.parts.consented.answer(walletId, answer);
    responseAddress(request);
    return this.planFor(walletId, request, answer.selectedCredentials);
  }

  /** The same for a request that was read. @throws DomainError `BadRequest` naming `selectedCredentials` */
  async planFor(
    walletId: string,
    request: ResolvedRequest,
    chosen: PresentationAnswer['selectedCredentials'],
  ): Promise<PresentationPlan> {
    const named = chosen.flatMap((one) => (typeof one === 'string' ? [] : one));
    const ids = chosen.map((one) => (typeof one === 'string' ? one : one.credentialId));
    const credentials = await this.#select(walletId, ids);
    const query = await compileFor(request.query, { matching: this.parts.matching, credentials });
    const selection =
      named.length === 0
        ? { selected: credentials, hints: assign(query, credentials) }
        : at(NAMED, () => selectNamed(named, { query, credentials }));
    return this.planChosen(walletId, request, { ...selection, query });
  }

  /**
   * The same for credentials that are assigned to the queries.
   * @throws DomainError `BadRequest` for a transaction that none authorizes, `Forbidden` when a policy of the wallet refuses them
   */
  async planChosen(
    walletId: string,
    request: ResolvedRequest,
    { selected: found, query, hints, shownFor }: ChosenCredentials,
  ): Promise<PresentationPlan> {
    const { formats } = this.parts.matching;
    const recipient = recipientOf(request.params);
    const { presentations, parameters } = planResponse(request.query, {
      hints,
      selected: found,
      formats,
      id: this.parts.ids.uuid(),
    });
    const transactions = assignTransactions(request.transactions, presentations);
    const shown = found.flatMap(({ parsed }) => parsed ?? []);
    await this.parts.policies.require('PRESENT', shown);
    const selected: StoredCredential[] = [];
    for (const one of found) selected.push(await this.parts.credentials.takeCopy(walletId, one));
    return {
      ...{ request, selected, parameters },
      recipient,
      mdocNonce: this.parts.ids.uuid(),
      presentations: presentations.map((outline, place) => ({
        format: outline.format,
        isSigned: outline.isSigned,
        selected: outline.places.flatMap((index) => selected[index] ?? []),
        credentials: toPresent(outline, { selected, query, shownFor }),
        transactions: transactions[place] ?? [],
      })),
    };
  }

  async #select(walletId: string, ids: string[]): Promise<StoredCredential[]> {
    const usable = new Map(
      (await this.parts.credentials.usable(walletId)).map((credential) => [credential.id, credential]),
    );
    return [...new Set(ids)].map((id) => {
      const credential = usable.get(id);
      if (credential) return credential;
      throw invalidField(['selectedCredentials'], `this wallet has no credential ${id.slice(0, 80)}`);
    });
  }

  /** Prepares one presentation, bound to the request by its nonce and its client_id. @throws DomainError `BadRequest` */
  async prepare(
    walletId: string,
    plan: Pick<PresentationPlan, 'request' | 'recipient' | 'mdocNonce'>,
    { format, selected, credentials, transactions, ...choice }: PlannedPresentation & HolderChoice,
  ): Promise<UnsignedPresentation> {
    const { dids, clock, ids } = this.parts;
    const { params, origin } = plan.request;
    const preferred = selected.map(({ holder }) => holder);
    const { did, keyId, key } = choice;
    const isOwn = key !== undefined && preferred.some((one) => containedKey(one) === thumbprint(key.publicJwk));
    const bound = isOwn ? { key } : {};
    // A copy of a credential is presented with its own key.
    const [{ key: ofCopy, holder: holderOfCopy } = {}] = selected;
    const chosen = holdsSeveral(format) ? { did, keyId, key } : bound;
    const signing = ofCopy ? { key: ofCopy, did: holderOfCopy } : chosen;
    const holder = await dids.signingDid(walletId, signing, preferred);
    const transactionData = signedTransactions(transactions);
    const content: PresentationContent = {
      id: `urn:uuid:${ids.uuid()}`,
      credentials,
      holder: { did: holder.did, kid: holder.kid },
      nonce: params.get('nonce'),
      audience: origin === undefined ? params.get('client_id') : `origin:${origin}`,
      handover: handoverOf(plan),
      ...(transactionData && { transactionData }),
      now: clock.now(),
    };
    return { format, content, holder };
  }
}

/** The credentials of a presentation with the claims that the queries they answer ask for. */
const toPresent = (
  { places, queryIds }: PresentationOutline,
  { selected, query, shownFor }: Omit<ChosenCredentials, 'hints'>,
): CredentialToPresent[] =>
  places.flatMap((index, place) => {
    const credential = selected[index];
    if (!credential) return [];
    const { document, parsed } = credential;
    const asked = (queryIds[place] ?? []).map((id) => parsed && (shownFor?.(id, index) ?? query.requested(id, parsed)));
    const disclosed = asked.flatMap((paths) => paths ?? []);
    return [{ document, ...(asked.every((paths) => paths) && { disclosed }) }];
  });

/** What session transcripts are made for; in drafts only an encrypted response transports the nonce of the wallet. */
function handoverOf({
  request,
  recipient,
  mdocNonce,
}: Pick<PresentationPlan, 'request' | 'recipient' | 'mdocNonce'>): Handover {
  const [clientId = '', nonce = ''] = ['client_id', 'nonce'].map((name) => request.params.get(name));
  const encrypted = recipient && { encryptionKey: recipientThumbprint(recipient) };
  if (request.origin !== undefined) return { kind: 'dc-api', origin: request.origin, nonce, ...encrypted };
  const parties = { clientId, nonce, responseUri: responseAddress(request) };
  if (request.query.language === 'dcql') return { kind: 'redirect', ...parties, ...encrypted };
  return { kind: 'draft', ...parties, ...(recipient && { mdocNonce }) };
}
