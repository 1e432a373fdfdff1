import type { Credential, Presentation } from '../../../ports/credential-formats.ts';
import type { PresentationDefinition } from './definition.ts';
import { acceptsFormat, type CompiledDefinition, type CompiledDescriptor, matches } from './matching.ts';
import { isSatisfied } from './requirements.ts';
import type { DescriptorMapping } from './submission.ts';

/** Which presented credentials stand for a descriptor, and whether they do what it asks. */
export interface DescriptorMatch {
  descriptorId: string;
  /** Indices of presented credentials. */
  credentials: number[];
  met: boolean;
}

/** What a presentation answers of a definition, in the order of its descriptors. */
export interface DescriptorMatches {
  descriptors: DescriptorMatch[];
  /** Whether a credential satisfies a descriptor, whatever it is presented for. */
  isSatisfiedBy(descriptorIndex: number, index: number): boolean;
}

/**
 * Compares a presentation with a definition. Where the submission names credentials for a descriptor, exactly those
 * stand for it and each must satisfy it; where it is silent, every presented credential that does so stands for it.
 */
export function matchDescriptors(
  compiled: CompiledDefinition,
  { credentials, format, alg }: Pick<Presentation, 'format' | 'alg'> & { credentials: readonly Credential[] },
  claims: DescriptorMapping[],
): DescriptorMatches {
  const descriptors = compiled.descriptors.map((descriptor) => {
    const answers = (index: number | undefined): index is number =>
      index !== undefined && satisfies(descriptor, credentials[index]);
    const isInForm = acceptsFormat(descriptor, { format, isPresentation: true, alg });
    const claimed = claims.filter(({ descriptorId }) => descriptorId === descriptor.id).map(({ index }) => index);
    if (claimed.length === 0) {
      const found = [...credentials.keys()].filter(answers);
      return { descriptorId: descriptor.id, credentials: found, met: isInForm && found.length > 0 };
    }
    const named = [...new Set(claimed.filter((index) => index !== undefined))];
    return { descriptorId: descriptor.id, credentials: named, met: isInForm && claimed.every(answers) };
  });
  const isSatisfiedBy: DescriptorMatches['isSatisfiedBy'] = (descriptorIndex, index) => {
    const descriptor = compiled.descriptors[descriptorIndex];
    return descriptor !== undefined && satisfies(descriptor, credentials[index]);
  };
  return { descriptors, isSatisfiedBy };
}

const satisfies = (descriptor: CompiledDescriptor, credential: Credential | undefined): boolean =>
  credential !== undefined && acceptsFormat(descriptor, credential) && matches(descriptor, credential.claims);

/** The ids of the descriptors that a credential is presented for or satisfies. */
export const descriptorsOf = ({ descriptors, isSatisfiedBy }: DescriptorMatches, index: number): string[] =>
  descriptors.flatMap(({ descriptorId, credentials }, at) =>
    credentials.includes(index) || isSatisfiedBy(at, index) ? [descriptorId] : [],
  );

/** The ids of the descriptors that are not met, when those that are do not suffice; none otherwise. */
export function missingDescriptors(definition: PresentationDefinition, { descriptors }: DescriptorMatches): string[] {
  const met = new Set(descriptors.filter((descriptor) => descriptor.met).map(({ descriptorId }) => descriptorId));
  if (isSatisfied(definition, met)) return [];
  return descriptors.flatMap(({ descriptorId }) => (met.has(descriptorId) ? [] : [descriptorId]));
}
