import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { BrokenConstraint, Match, QueriedCredential, QueriedPresentation } from '../matching/compiled-query.ts';
import type { PresentationDefinition } from './definition.ts';

/** The presentations of a response that were matched with the definition. */
export interface MatchedPresentations {
  presentations: readonly QueriedPresentation[];
  /** In the order of the descriptors. */
  matches: readonly Match[];
}

/** The first constraint with the directive `required` that is broken (Presentation Exchange 2.0, relational constraint feature). */
export function brokenConstraint(
  { input_descriptors: descriptors }: PresentationDefinition,
  { presentations, matches }: MatchedPresentations,
): BrokenConstraint | undefined {
  const presented = presentations.flatMap(({ credentials, holder }) =>
    credentials.map((credential) => credential && { ...credential, holder }),
  );
  const subjects = new Map<string, Set<string>>();
  for (const [index, { id, constraints }] of descriptors.entries()) {
    const credentials = (matches[index]?.credentials ?? []).flatMap((place) => presented[place] ?? []);
    if (constraints.subject_is_issuer === 'required' && !credentials.every(isSelfIssued))
      return broken('subject_is_issuer', id);
    if (required(constraints.is_holder).length > 0 && !credentials.every(isAboutHolder)) return broken('is_holder', id);
    for (const field of requiredFields(constraints.same_subject)) collect(subjects, field, credentials);
  }
  const apart = [...subjects].find(([, found]) => found.size !== 1 || found.has(''));
  return apart && broken('same_subject', apart[0]);
}

const broken = (constraint: string, id: string): BrokenConstraint => ({
  constraint,
  constraintFailureDescription: `${constraint} does not hold for ${id}`,
});

const isSelfIssued = ({ subject, issuer }: QueriedCredential): boolean => subject === issuer.id;

/** The holder is the signer of the presentation. */
const isAboutHolder = ({ subject, holder }: QueriedCredential & Pick<QueriedPresentation, 'holder'>): boolean =>
  subject !== undefined && subject === holder;

const required = (value: unknown): JsonObject[] =>
  asList(value).filter((item): item is JsonObject => isObject(item) && item.directive === 'required');

const requiredFields = (value: unknown): string[] =>
  required(value).flatMap(({ field_id: ids }) => asList(ids).filter(isText));

function collect(subjects: Map<string, Set<string>>, field: string, credentials: QueriedCredential[]): void {
  const found = subjects.get(field) ?? new Set();
  for (const { subject = '' } of credentials) found.add(subject);
  subjects.set(field, found);
}
