import type { Signatures } from '../../../ports/signatures.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isSameJson, type JsonObject } from '../../foundation/json.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import { parseJws } from '../../jose/jws.ts';
import type { ConsentedRequests } from './consented-requests.ts';
import { checkExternalToken, PREPARED_MS, type UnsignedToken, unsignedPresentation } from './external-token.ts';
import { recordPresented } from './presentation-client.ts';
import type { PresentationPlanner } from './presentation-plan.ts';
import { holdsSeveral } from './response-plan.ts';
import type { Redirect, VerifierEndpoint } from './verifier-endpoint.ts';

/** A presentation to prepare. */
interface ExternalSelection {
  did: string;
  link: string;
  selectedCredentials: string[];
}

/** A presentation that a key outside the wallet has to sign. */
interface PreparedPresentation {
  submission: JsonObject;
  token: UnsignedToken;
}

/** A presentation that was signed outside the wallet, and what it was prepared from. */
interface SignedPresentation extends ExternalSelection {
  submission: JsonObject;
  /** A compact JWS. */
  signed: string;
}

/** What is kept between preparing and submitting. */
interface StoredPresentation extends ExternalSelection, PreparedPresentation {
  base: string;
  params: [string, string][];
  formats: { id: string; format: string }[];
}

const PREPARED: CollectionSpec<StoredPresentation> = {
  name: 'wallet-prepared-presentations',
  listed: true,
  afterRestore: 'void',
};

/** Presentations that are signed outside the wallet: prepared, signed by the caller, submitted once. */
export class ExternalPresentations {
  readonly #prepared: Collection<StoredPresentation>;

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      planner: PresentationPlanner;
      consented: ConsentedRequests;
      verifiers: VerifierEndpoint;
      resolver: DidResolver;
      signatures: Signatures;
      activity: ActivityRecorder;
    },
  ) {
    this.#prepared = parts.store.collection(PREPARED);
  }

  /** @throws DomainError as `PresentationPlanner.plan`; `BadRequest` for a request that is not answered by one presentation */
  async prepare(walletId: string, selection: ExternalSelection): Promise<PreparedPresentation> {
    const { planner, clock } = this.parts;
    const plan = await planner.plan(walletId, selection);
    const { request, presentations, parameters, selected } = plan;
    const [only, ...others] = presentations;
    const { presentation_submission: submission } = parameters(['']);
    if (request.login || !only || others.length > 0 || !holdsSeveral(only.format) || !isObject(submission))
      throw new DomainError(
        'BadRequest',
        'Only one JWT presentation for a definition, without a login, can be signed outside the wallet',
      );
    const unsigned = await planner.prepare(walletId, plan, { ...only, did: selection.did });
    const prepared = { submission, token: await unsignedPresentation(unsigned) };
    const { did, link, selectedCredentials } = selection;
    await this.#prepared.insert({
      id: unsigned.content.id,
      parent: walletId,
      value: {
        ...prepared,
        ...{ did, link, selectedCredentials },
        base: request.base,
        params: [...request.params],
        formats: selected.map(({ id, format }) => ({ id, format })),
      },
      expiresAt: clock.now() + PREPARED_MS,
    });
    return prepared;
  }

  /** Sends what was prepared. @throws DomainError `BadRequest` naming the member that differs, or with the verifier's reason */
  async submit(walletId: string, answer: SignedPresentation): Promise<Redirect> {
    const { consented, verifiers, activity } = this.parts;
    const { jti } = at(['signed'], () => parseJws(answer.signed, 'The presentation')).payload;
    const key = { id: String(jti), parent: walletId };
    const known = await this.#prepared.get(key);
    if (!known) throw notPrepared();
    for (const name of ['did', 'link', 'selectedCredentials', 'submission'] as const)
      if (!isSameJson(answer[name], known.value[name])) throw invalidField([name], 'is not what was prepared');
    await at(['signed'], () => checkExternalToken(answer.signed, { ...known.value, ...this.parts }));
    const taken = await this.#prepared.take(key);
    if (!taken) throw notPrepared();
    const { base, params, formats: selected, submission } = taken.value;
    const request = { base, params: new Map(params) };
    const next = await verifiers.answer(request, { vp_token: answer.signed, presentation_submission: submission });
    await consented.answered(walletId, answer.link);
    await recordPresented({ activity, walletId, selected, request, next });
    return next;
  }
}

const notPrepared = (): DomainError => invalidField(['signed'], 'was not prepared, was sent already, or is too old');
