import type { PresentationDefinition } from '../presentation/definition.ts';
import { type CompiledDefinition, matches } from '../presentation/matching.ts';
import { isSatisfied } from '../presentation/requirements.ts';
import type { PresentedCredential } from './presentation.ts';
import type { Claim } from './submission.ts';

/** Which presented credentials stand for a descriptor, and whether they do what it asks. */
export interface DescriptorCoverage {
  descriptorId: string;
  /** Indices of presented credentials. */
  credentials: number[];
  met: boolean;
}

/** What a presentation answers of a definition, in the order of its descriptors. */
export interface Coverage {
  descriptors: DescriptorCoverage[];
}

/**
 * Holds a presentation against a definition. Where the submission names credentials for a descriptor, exactly those
 * stand for it and each must match; where it is silent, every presented credential that matches does.
 */
export function cover(compiled: CompiledDefinition, credentials: PresentedCredential[], claims: Claim[]): Coverage {
  const descriptors = compiled.descriptors.map((descriptor) => {
    const answers = (index: number | undefined): index is number =>
      index !== undefined && matches(descriptor, credentials[index]?.opened.claims);
    const claimed = claims.filter(({ descriptorId }) => descriptorId === descriptor.id).map(({ index }) => index);
    if (claimed.length === 0) {
      const found = [...credentials.keys()].filter(answers);
      return { descriptorId: descriptor.id, credentials: found, met: found.length > 0 };
    }
    const named = [...new Set(claimed.filter((index) => index !== undefined))];
    return { descriptorId: descriptor.id, credentials: named, met: claimed.every(answers) };
  });
  return { descriptors };
}

/** The ids of the descriptors a credential stands for. */
export const coveredBy = ({ descriptors }: Coverage, index: number): string[] =>
  descriptors.flatMap(({ descriptorId, credentials }) => (credentials.includes(index) ? [descriptorId] : []));

/** The ids of the descriptors that are not met, when those that are do not suffice; none otherwise. */
export function missingDescriptors(definition: PresentationDefinition, { descriptors }: Coverage): string[] {
  const met = new Set(descriptors.filter((descriptor) => descriptor.met).map(({ descriptorId }) => descriptorId));
  if (isSatisfied(definition, met)) return [];
  return descriptors.flatMap(({ descriptorId }) => (met.has(descriptorId) ? [] : [descriptorId]));
}
