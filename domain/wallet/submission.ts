import type { FormatFacts } from '../credentials/formats.ts';
import { type DomainError, invalidField } from '../foundation/errors.ts';
import { countValues } from '../foundation/json.ts';
import {
  acceptsFormat,
  type CompiledDefinition,
  type CompiledDescriptor,
  matches,
} from '../presentation/exchange/matching.ts';
import { isSatisfied } from '../presentation/exchange/requirements.ts';
import type { HeldCredential } from './wallet-credentials.ts';

/** That the credential at `index` of the selection answers a descriptor. */
export interface Assignment {
  descriptorId: string;
  index: number;
}

/** The definition's cost times the values of the credentials; about 0.1 s of matching. */
const MAX_WORK = 500_000;

/**
 * Whether a credential answers a descriptor; paths are evaluated on the whole payload. The algorithms of `format` are
 * left to the verifier: existing verifiers list one in each definition they generate and accept others.
 */
const answers = (descriptor: CompiledDescriptor, held: HeldCredential | undefined): boolean =>
  held?.opened !== undefined &&
  acceptsFormat(descriptor, { format: held.format }) &&
  matches(descriptor, held.opened.claims);

/** The credentials that answer at least one descriptor, in their order. @throws DomainError `BadRequest` */
export function matching({ descriptors, cost }: CompiledDefinition, held: HeldCredential[]): HeldCredential[] {
  const values = held.reduce((sum, { opened }) => sum + countValues(opened?.claims), 0);
  if (cost * values > MAX_WORK)
    throw invalidField([], 'the definition is too costly to match against this many credentials');
  return held.filter((credential) => descriptors.some((descriptor) => answers(descriptor, credential)));
}

/**
 * Binds a selection to the descriptors it answers: each descriptor gets a credential, one of its own where possible,
 * and each credential has a descriptor, so that nothing is disclosed that was not asked for.
 * @throws DomainError `BadRequest` naming the descriptor or the credential that is left over
 */
export function assign({ definition, descriptors }: CompiledDefinition, selected: HeldCredential[]): Assignment[] {
  const used = new Set<number>();
  const assignments = descriptors.flatMap((descriptor): Assignment[] => {
    const fitting = [...selected.keys()].filter((index) => answers(descriptor, selected[index]));
    const index = fitting.find((candidate) => !used.has(candidate)) ?? fitting[0];
    if (index === undefined) return [];
    used.add(index);
    return [{ descriptorId: descriptor.id, index }];
  });
  const met = new Set(assignments.map(({ descriptorId }) => descriptorId));
  if (!isSatisfied(definition, met)) throw unanswered(descriptors.find(({ id }) => !met.has(id))?.id ?? definition.id);
  const spare = [...selected.keys()].filter((index) => !used.has(index));
  return [...assignments, ...spare.map((index) => assignSpare(descriptors, selected, index))];
}

function assignSpare(descriptors: CompiledDescriptor[], selected: HeldCredential[], index: number): Assignment {
  const descriptor = descriptors.find((candidate) => answers(candidate, selected[index]));
  if (descriptor) return { descriptorId: descriptor.id, index };
  throw invalidField(['selectedCredentials'], `${selected[index]?.id.slice(0, 80)} was not asked for`);
}

const unanswered = (id: string): DomainError =>
  invalidField(['selectedCredentials'], `none answers the descriptor "${id.slice(0, 64)}"`);

/** The descriptor_map of a presentation_submission (Presentation Exchange 2.0 §6). */
export const descriptorMap = (assignments: Assignment[], { name, presentation }: FormatFacts) =>
  assignments.map(({ descriptorId: id, index }) => {
    const { submitted: format, credentialsAt } = presentation;
    const nested = credentialsAt && { path_nested: { id, format: name, path: `${credentialsAt}[${index}]` } };
    return { id, format, path: '$', ...nested };
  });
