import type { Credential, Presentation } from '../../../ports/credential-formats.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { PresentationDefinition } from './definition.ts';
import type { DescriptorMatches } from './descriptor-matches.ts';

/** What relational constraints (Presentation Exchange 2.0, relational constraint feature) are held against. */
export interface RelationRequest {
  definition: PresentationDefinition;
  presentation: Presentation;
  coverage: DescriptorMatches;
}

/** The constraint that does not hold. */
export interface RelationFailure {
  constraint: 'subject_is_issuer' | 'is_holder' | 'same_subject';
  constraintFailureDescription: string;
}

/** The first relational constraint with the directive `required` that does not hold, if there is one. */
export function relationFailure({ definition, presentation, coverage }: RelationRequest): RelationFailure | undefined {
  const subjects = new Map<string, Set<string>>();
  const bound = (index: number): Credential[] =>
    (coverage.descriptors[index]?.credentials ?? []).flatMap((at) => presentation.credentials[at] ?? []);
  for (const [index, { id, constraints }] of definition.input_descriptors.entries()) {
    const credentials = bound(index);
    if (constraints.subject_is_issuer === 'required' && !credentials.every(isSelfIssued))
      return failure('subject_is_issuer', id);
    if (isRequired(constraints.is_holder) && !credentials.every(({ subject }) => isHeldBy(subject, presentation)))
      return failure('is_holder', id);
    for (const field of requiredFields(constraints.same_subject)) collect(subjects, field, credentials);
  }
  const apart = [...subjects].find(([, found]) => found.size !== 1 || found.has(''));
  return apart && failure('same_subject', apart[0]);
}

const failure = (constraint: RelationFailure['constraint'], id: string): RelationFailure => ({
  constraint,
  constraintFailureDescription: `${constraint} does not hold for ${id}`,
});

const isSelfIssued = ({ subject, issuer }: Credential): boolean => subject === issuer.id;

/** The holder is who signed, whatever the presentation says of itself. */
const isHeldBy = (subject: string | undefined, { holder }: Presentation): boolean =>
  subject !== undefined && subject === holder;

const required = (value: unknown): JsonObject[] =>
  asList(value).filter((item): item is JsonObject => isObject(item) && item.directive === 'required');

const isRequired = (value: unknown): boolean => required(value).length > 0;

const requiredFields = (value: unknown): string[] =>
  required(value).flatMap(({ field_id: ids }) => asList(ids).filter(isText));

function collect(subjects: Map<string, Set<string>>, field: string, credentials: Credential[]): void {
  const found = subjects.get(field) ?? new Set();
  for (const { subject } of credentials) found.add(subject ?? '');
  subjects.set(field, found);
}
