import { FORMATS } from '../../domain/credentials/formats/table.ts';
import { readDefinition } from '../../domain/presentation/exchange/definition.ts';
import { hintsOf } from '../../domain/presentation/exchange/submission.ts';
import { compileQuery } from '../../domain/presentation/query.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { benchPlatform } from '../support/platform.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/** All filters differ and all credentials pass them: with others the library is wrong about presentations of several. */
const definitionOf = (count: number) => ({
  id: 'asked',
  input_descriptors: numbers(count).map((number) => ({
    id: `descriptor-${number}`,
    constraints: {
      fields: [
        { path: ['$.type'], filter: { type: 'array', contains: { type: 'string', const: 'Diploma' } } },
        { path: ['$.credentialSubject.level', '$.level'], filter: { type: 'integer', minimum: -number } },
      ],
    },
  })),
});

const documentOf = (number: number) => ({
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  id: `urn:uuid:${number}`,
  type: ['VerifiableCredential', 'Diploma'],
  issuer: 'did:example:issuer',
  issuanceDate: '2026-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:holder', level: number + 1, name: 'Maria Musterfrau' },
  proof: { type: 'Ed25519Signature2018', created: '2026-01-01T00:00:00Z', proofPurpose: 'assertionMethod', jws: 'x' },
});

const submissionOf = (count: number) => ({
  id: 'answered',
  definition_id: 'asked',
  descriptor_map: numbers(count).map((number) => ({
    id: `descriptor-${number}`,
    format: 'ldp_vc',
    path: `$.verifiableCredential[${number}]`,
  })),
});

const ports = await benchPlatform();

/** As many credentials as descriptors, matched with the definition and a submission as a verifier does it. */
function ours(count: number, submission = submissionOf(count)): () => Promise<void> {
  const definition = definitionOf(count);
  const credentials = numbers(count).map((number) => {
    return {
      format: 'jwt_vc_json',
      type: '',
      alg: 'ES256',
      claims: documentOf(number),
      document: {},
      issuer: { kind: 'did' as const, id: '' },
    };
  });
  const { credentialsAt } = FORMATS.jwt_vc_json.presentation;
  const listed = { count, credentialsAt, isListed: false };
  return async () => {
    const asked = {
      language: 'presentation-exchange',
      definition: readDefinition(structuredClone(definition)),
    } as const;
    const query = await compileQuery(asked, ports);
    const matches = query.match([{ format: 'jwt_vp_json', alg: 'ES256', credentials }], hintsOf(submission, [listed]));
    if (!matches.every(({ met }) => met)) throw new Error('The presentation does not match');
  };
}

/** A library for the same; it is compared with when it is installed. */
interface Pex {
  evaluatePresentation(definition: unknown, presentation: unknown, options: unknown): { errors?: unknown[] };
}

const LIBRARY = '@animo-id/pex';

async function library(count: number): Promise<(() => void) | undefined> {
  const loaded = await import(LIBRARY).catch(() => undefined);
  if (loaded === undefined) return undefined;
  const pex: Pex = new loaded.PEX();
  const definition = definitionOf(count);
  const presentation = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiablePresentation'],
    holder: 'did:example:holder',
    verifiableCredential: numbers(count).map(documentOf),
    presentation_submission: submissionOf(count),
    proof: documentOf(0).proof,
  };
  return () => {
    const { errors } = pex.evaluatePresentation(structuredClone(definition), presentation, {});
    if (errors?.length) throw new Error(`The library finds ${JSON.stringify(errors)}`);
  };
}

/** Matching a presentation with a definition of 1 and of 20 descriptors. */
export async function definition(): Promise<Line[]> {
  const silent = { ...submissionOf(0), descriptor_map: [] };
  const { one, twenty, unclaimed } = await interleave({
    one: repeat(ours(1)),
    twenty: repeat(ours(20)),
    unclaimed: repeat(ours(20, silent)),
  });
  const growth = [
    compared({ work: 'growth of matching, 1 to 20 descriptors', named: 'with 20', goal: { atMost: 25 } }, one, twenty),
    compared({ work: 'growth when the submission names nothing', named: 'with 20' }, one, unclaimed),
  ];
  const theirs = await library(20);
  if (!theirs) return growth;
  const rates = await interleave({ ours: repeat(ours(20)), theirs: repeat(theirs) }, { rounds: 5, warmUp: 1 });
  const beside = { work: 'matching, 20 descriptors', named: LIBRARY, goal: { atLeast: 20 } };
  return [compared(beside, rates.ours, rates.theirs), ...growth];
}
