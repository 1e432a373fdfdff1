import { asList, isObject, isText } from '../../foundation/json.ts';
import type {
  CompiledQuery,
  Hint,
  Match,
  QueriedCredential,
  QueriedPresentation,
  QueryDescription,
  QueryPorts,
} from '../matching/compiled-query.ts';
import type { PresentationDefinition } from './definition.ts';
import { excessOf } from './limited-disclosure.ts';
import { acceptsFormat, type CompiledDescriptor, compileDescriptors, matches } from './matching.ts';
import { brokenConstraint } from './relational-constraints.ts';
import { isReachable, isSatisfied, requiredIds } from './requirements.ts';

/**
 * Compiles a presentation definition (DIF Presentation Exchange 2.0): each input descriptor is one query.
 * @throws DomainError `BadRequest` naming the path or filter that is not valid or too costly to evaluate
 */
export async function compileDefinition(definition: PresentationDefinition, ports: QueryPorts): Promise<CompiledQuery> {
  const descriptors = await compileDescriptors(definition, ports);
  const byId = new Map(descriptors.map((descriptor) => [descriptor.id, descriptor]));
  return {
    queryIds: descriptors.map(({ id }) => id),
    singleIds: new Set(),
    unsignedIds: new Set(),
    cost: descriptors.reduce((total, { cost }) => total + cost, 0),
    match: (presentations, hints) => {
      const placed = presentations.flatMap((presentation) =>
        presentation.credentials.map((credential) => ({ credential, presentation })),
      );
      return descriptors.map((descriptor) => matchDescriptor(descriptor, placed, hintsFor(descriptor, hints)));
    },
    isSatisfied: (found) => isSatisfied(definition, metIds(found)),
    isAnswerable: (found) => isReachable(definition, metIds(found)),
    describe: () => describe(definition),
    accepts: (queryId, credential) => {
      const descriptor = byId.get(queryId);
      return descriptor !== undefined && satisfies(descriptor, credential);
    },
    requested: (queryId, { claims }) => byId.get(queryId)?.requested(claims),
    alternatives: (queryId, { claims }) => [byId.get(queryId)?.requested(claims)],
    brokenConstraint: (presentations, found) =>
      brokenConstraint(definition, { presentations, matches: found }) ??
      excessOf(byId, { presentations, matches: found }),
  };
}

const metIds = (found: readonly Match[]): Set<string> =>
  new Set(found.flatMap(({ queryId, met }) => (met ? queryId : [])));

/** Names and purposes are those of the definition, its requirements and its descriptors (Presentation Exchange 2.0 §5). */
function describe(definition: PresentationDefinition): QueryDescription {
  const required = requiredIds(definition);
  const { input_descriptors: descriptors, submission_requirements: requirements } = definition;
  return {
    purposes: [definition, ...asList(requirements).filter(isObject)].map(({ purpose }) => purpose).filter(isText),
    queries: descriptors.map(({ id, name, purpose, format = definition.format }) => ({
      id,
      ...(isText(name) && { name }),
      ...(isText(purpose) && { purpose }),
      isRequired: required.has(id),
      isMultiple: false,
      formats: isObject(format) ? Object.keys(format) : [],
      types: [],
      claims: [],
    })),
    choices: [],
  };
}

const hintsFor = ({ id }: CompiledDescriptor, hints: readonly Hint[]): (number | undefined)[] =>
  hints.filter(({ queryId }) => queryId === id).map(({ index }) => index);

/** A credential and the presentation that contains it. */
interface PlacedCredential {
  credential: QueriedCredential | undefined;
  presentation: QueriedPresentation;
}

function matchDescriptor(
  descriptor: CompiledDescriptor,
  placed: readonly PlacedCredential[],
  hinted: (number | undefined)[],
): Match {
  const answers = (index: number | undefined): index is number => {
    const at = index === undefined ? undefined : placed[index];
    return at !== undefined && isAcceptedForm(descriptor, at.presentation) && satisfies(descriptor, at.credential);
  };
  if (hinted.length === 0) {
    const found = [...placed.keys()].filter(answers);
    return { queryId: descriptor.id, credentials: found, met: found.length > 0 };
  }
  const named = [...new Set(hinted.filter((index) => index !== undefined))];
  return { queryId: descriptor.id, credentials: named, met: hinted.every(answers) };
}

const isAcceptedForm = (descriptor: CompiledDescriptor, { format, alg }: QueriedPresentation): boolean =>
  format === undefined || acceptsFormat(descriptor, { format, isPresentation: true, alg });

const satisfies = (descriptor: CompiledDescriptor, credential: QueriedCredential | undefined): boolean =>
  credential !== undefined &&
  acceptsFormat(descriptor, credential) &&
  (!descriptor.isTypeIn(credential.format) || credential.type === descriptor.id) &&
  matches(descriptor, credential.claims);
