import type { PresentationContent } from '../../ports/credential-formats.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import type { CredentialFormats, PresentableFormat } from '../credentials/formats.ts';
import { invalidField } from '../foundation/errors.ts';
import type { Credentials, StoredCredential } from '../holdings/credentials.ts';
import type { Dids, SigningDid } from '../holdings/dids.ts';
import type { Hint, QueryPorts } from '../presentation/compiled-query.ts';
import { createVpToken } from '../presentation/dcql/response.ts';
import { createSubmission } from '../presentation/exchange/submission.ts';
import { compileQuery, type PresentationQuery } from '../presentation/query.ts';
import { type PresentationRequests, type ResolvedRequest, responseAddress } from './presentation-request.ts';
import { assign } from './submission.ts';

/** The selection of the user. */
export interface PresentationAnswer {
  /** The link of the request. */
  link: string;
  /** Ids of credentials of the wallet. */
  selectedCredentials: string[];
  /** The DID to present as; that of the first credential of each presentation when absent. */
  did?: string | null;
  /** For the event log of the wallet; never sent. */
  note?: string;
}

/** One presentation of a response. */
export interface PlannedPresentation {
  credentials: StoredCredential[];
  /** Whether the holder signs it; else the credential is sent alone. */
  isSigned: boolean;
}

/** The presentations of a response, and its form when they are signed. */
export interface PlannedResponse {
  presentations: PlannedPresentation[];
  /** `signed` is in the order of `presentations`. */
  form(signed: string[]): Record<string, string>;
}

/** A response to a request, before anything is signed. */
export interface PresentationPlan extends PlannedResponse {
  request: ResolvedRequest;
  selected: StoredCredential[];
}

/** What `PresentationPlanner` works with. */
export interface PlannerParts {
  dids: Dids;
  credentials: Credentials;
  requests: PresentationRequests;
  matching: QueryPorts;
  clock: Clock;
  ids: Ids;
}

/** A presentation that is ready to be signed. */
export interface UnsignedPresentation {
  format: PresentableFormat;
  content: PresentationContent;
  holder: SigningDid;
}

interface Assigned {
  hints: Hint[];
  selected: StoredCredential[];
  formats: CredentialFormats;
  /** The id of a presentation submission. */
  id: string;
}

/** How the response to a query of each language is composed. */
const RESPONSES: {
  [L in PresentationQuery['language']]: (query: PresentationQuery<L>, assigned: Assigned) => PlannedResponse;
} = {
  'presentation-exchange': ({ definition }, { hints, selected, formats, id }) => {
    const format = formatOf(selected, formats);
    const submission = createSubmission({ id, definitionId: definition.id, hints, format });
    return {
      presentations: [{ credentials: selected, isSigned: true }],
      form: ([token = '']) => ({ vp_token: token, presentation_submission: JSON.stringify(submission) }),
    };
  },
  dcql: ({ query }, { hints, selected }) => {
    const bound = new Map(query.credentials.map(({ id, holderBinding }) => [id, holderBinding]));
    const presentations = hints.map(({ queryId, index = -1 }) => {
      return { credentials: selected.slice(index, index + 1), isSigned: bound.get(queryId) !== false };
    });
    const named = (signed: string[]) =>
      hints.map(({ queryId }, place) => ({ queryId, presentation: signed[place] ?? '' }));
    return { presentations, form: (signed) => ({ vp_token: createVpToken(named(signed)) }) };
  },
};

const responseTo = <L extends PresentationQuery['language']>(query: PresentationQuery<L>, assigned: Assigned) =>
  RESPONSES[query.language](query, assigned);

/** Plans what is presented for a selection of the user. */
export class PresentationPlanner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest` naming `link` or `selectedCredentials`, and as `PresentationRequests.resolve` */
  async plan(walletId: string, { link, selectedCredentials }: PresentationAnswer): Promise<PresentationPlan> {
    const { requests, matching, ids } = this.#parts;
    const request = await requests.resolve(link);
    responseAddress(request);
    const selected = await this.#select(walletId, selectedCredentials);
    const hints = assign(await compileQuery(request.query, matching), selected);
    const { formats } = matching;
    return { request, selected, ...responseTo(request.query, { hints, selected, formats, id: ids.uuid() }) };
  }

  async #select(walletId: string, ids: string[]): Promise<StoredCredential[]> {
    const usable = new Map(
      (await this.#parts.credentials.usable(walletId)).map((credential) => [credential.id, credential]),
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
    { params }: ResolvedRequest,
    { credentials, did }: Pick<PlannedPresentation, 'credentials'> & Pick<PresentationAnswer, 'did'>,
  ): Promise<UnsignedPresentation> {
    const { dids, clock, ids, matching } = this.#parts;
    const preferred = credentials.map((credential) => credential.holder);
    const holder = await dids.signingDid(walletId, did, preferred);
    const content = {
      id: `urn:uuid:${ids.uuid()}`,
      credentials: credentials.map(({ document }) => ({ document })),
      holder: { did: holder.did, kid: holder.kid },
      nonce: params.get('nonce'),
      audience: params.get('client_id'),
      now: clock.now(),
    };
    return { format: formatOf(credentials, matching.formats), content, holder };
  }
}

/** One presentation has credentials of one format. @throws DomainError `BadRequest` */
function formatOf(credentials: StoredCredential[], formats: CredentialFormats): PresentableFormat {
  const [format = formats.standard, ...others] = new Set(
    credentials.map((credential) => formats.presentable(credential.format)),
  );
  if (others.length === 0) return format;
  throw invalidField(['selectedCredentials'], 'credentials of different formats cannot be presented together');
}
