import type { CredentialFormats, PresentableFormat } from '../../credentials/formats/formats.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import { createVpToken } from '../../presentation/dcql/response.ts';
import { createSubmission } from '../../presentation/exchange/submission.ts';
import type { Hint } from '../../presentation/matching/compiled-query.ts';
import type { PresentationQuery } from '../../presentation/query.ts';

/** The credentials of one presentation of a response, by their places in the selection, and what it answers. */
export interface PresentationOutline {
  format: PresentableFormat;
  /** Places in the selection. */
  places: number[];
  /** The queries that each credential answers, in the order of `places`. */
  queryIds: string[][];
  /** Whether the holder signs it; else the credential stands alone where its format allows that. */
  isSigned: boolean;
}

/** The presentations of a response, and its parameters when they are signed. */
interface ResponsePlan {
  presentations: PresentationOutline[];
  /** `signed` is in the order of `presentations`; values that are no text are JSON. */
  parameters(signed: string[]): JsonObject;
}

/** What a response is planned from. */
interface PlanSource {
  /** Which credential of the selection answers which query. */
  hints: Hint[];
  selected: StoredCredential[];
  formats: CredentialFormats;
  /** The id of a presentation submission. */
  id: string;
}

type Language = PresentationQuery['language'];

/** How the response to a query of each language is composed. */
const PLANS: { [L in Language]: (query: PresentationQuery<L>, source: PlanSource) => ResponsePlan } = {
  'presentation-exchange': ({ definition }, source) => {
    const { hints, id } = source;
    const presentations = outlines(source);
    const answers = hints.flatMap(({ queryId, index = -1 }) => {
      const place = presentations.findIndex(({ places }) => places.includes(index));
      const presentation = presentations[place];
      return presentation ? { queryId, presentation: place, index: presentation.places.indexOf(index) } : [];
    });
    const formats = presentations.map(({ format }) => format);
    const submission = createSubmission({ id, definitionId: definition.id, answers, formats });
    return {
      presentations,
      parameters: (signed) => ({
        vp_token: signed.length === 1 ? signed[0] : signed,
        presentation_submission: submission,
      }),
    };
  },
  dcql: ({ query }, { hints, selected, formats }) => {
    const bound = new Map(query.credentials.map(({ id, holderBinding }) => [id, holderBinding]));
    const presentations = hints.flatMap(({ queryId, index = -1 }): PresentationOutline[] => {
      const credential = selected[index];
      if (!credential) return [];
      const format = formats.presentable(credential.format);
      return [{ format, places: [index], queryIds: [[queryId]], isSigned: bound.get(queryId) !== false }];
    });
    const named = (signed: string[]) =>
      presentations.map(({ queryIds }, place) => ({
        queryId: queryIds.flat()[0] ?? '',
        presentation: signed[place] ?? '',
      }));
    return { presentations, parameters: (signed) => ({ vp_token: createVpToken(named(signed)) }) };
  },
};

/** Plans the response to a query of any language. @throws DomainError `BadRequest` for credentials that cannot be presented */
export const planResponse = <L extends Language>(query: PresentationQuery<L>, source: PlanSource): ResponsePlan =>
  PLANS[query.language](query, source);

/** One presentation for all credentials of a format whose presentations hold several, and one for each other credential. */
function outlines({ hints, selected, formats }: PlanSource): PresentationOutline[] {
  const found: PresentationOutline[] = [];
  for (const [place, credential] of selected.entries()) {
    const format = formats.presentable(credential.format);
    const queryIds = hints.filter(({ index }) => index === place).map(({ queryId }) => queryId);
    const shared = holdsSeveral(format) ? found.find((outline) => outline.format === format) : undefined;
    if (shared) {
      shared.places.push(place);
      shared.queryIds.push(queryIds);
    } else found.push({ format, places: [place], queryIds: [queryIds], isSigned: true });
  }
  return found;
}

/** Whether a presentation lists its credentials; else it is its one credential, bound to the key of its holder. */
export const holdsSeveral = ({ presentation: { credentialsAt } }: PresentableFormat): boolean =>
  credentialsAt.length > 0;
