import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type CheckedContract, withValidators } from '../../../adapters/http/edge/validation.ts';
import {
  type Audience,
  type Contract,
  type JoinedDocument,
  loadContract,
  type Operation,
  type ServedParts,
} from '../../../adapters/http/messages/document.ts';
import { notes } from '../runs/notes.ts';

const JOIN = "import { joinDocuments, readDocuments, withResolved } from './scripts/join-documents.mjs';";
const PRINT =
  'withResolved(joinDocuments(readDocuments())).then((joined) => process.stdout.write(JSON.stringify(joined)));';

/** The file of the joined documents, where a run of several suites has made it for all its processes. */
const { JOINED_DOCUMENT: file } = process.env;

/**
 * All OpenAPI documents of the project, as the build joins them. A process of its own joins them: a module that imports
 * an `.mjs` file is loaded a second time by mocha, and each of the two would note what it sees for itself.
 */
export const joined: JoinedDocument = JSON.parse(
  file
    ? readFileSync(file, 'utf8')
    : execFileSync(process.execPath, ['--input-type=module', '-e', JOIN + PRINT], {
        encoding: 'utf8',
        maxBuffer: 2 ** 24,
      }),
);

/** The whole contract with all features, read once. */
export const contract: Promise<Contract> = Promise.resolve(
  loadContract({
    joined,
    documents: Object.keys(joined['x-documents']),
    features: ['trusted-ca', 'external-signature-endpoints', 'rejectionreason'],
    publicUrl: 'http://127.0.0.1:7001',
  }),
);

const shared = new Map<string, CheckedContract>();

/** The contract of a server: those of this process that serve the same parts share its operations and validators. */
export async function sharedContract(served: ServedParts): Promise<CheckedContract> {
  const { publicUrl, ...parts } = served;
  const key = JSON.stringify(parts);
  const loaded = shared.get(key) ?? withValidators(loadContract({ joined, ...served }));
  shared.set(key, loaded);
  const { contract, validation } = loaded;
  const here = (document: Contract['published']): Contract['published'] => ({
    ...document,
    servers: [{ url: publicUrl }],
  });
  const published = here(contract.published);
  const publishedFor = (audience: Audience) => here(contract.publishedFor(audience));
  return { contract: { ...contract, published, publishedFor }, validation };
}

/** The (operation, status) pairs that tests of this process saw. */
const seen = notes('answers');

/** Found at once: every call and every answer of a test server is looked up. */
const byId = contract.then(({ operations }) => new Map(operations.map((one) => [one.operationId, one])));

export async function operationOf(operationId: string): Promise<Operation> {
  const operation = (await byId).get(operationId);
  if (!operation) throw new Error(`The documents have no operation ${operationId}`);
  return operation;
}

const shapeOf = (method: string, segments: readonly string[]): string => `${method} ${segments.length}`;

/** The operations with their segments, by method and number of segments; those with fewer templates come first. */
const byShape = contract.then(({ operations }) => {
  const sorted = operations.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const found = new Map<string, { operation: Operation; parts: string[] }[]>();
  for (const operation of sorted) {
    const parts = operation.path.split('/');
    const shape = shapeOf(operation.method, parts);
    found.set(shape, [...(found.get(shape) ?? []), { operation, parts }]);
  }
  return { found, paths: new Set(operations.map(({ path }) => path)) };
});

/** The operation of a method and path, if there is one; templates have no part in a path that is documented as it is. */
export async function operationAt(method: string, path: string): Promise<Operation | undefined> {
  const { found, paths } = await byShape;
  const segments = path.split('/');
  const fits = (parts: string[]): boolean => parts.every((part, i) => part.startsWith('{') || part === segments[i]);
  const candidates = found.get(shapeOf(method, segments)) ?? [];
  return candidates.find(({ operation, parts }) => (paths.has(path) ? operation.path === path : fits(parts)))
    ?.operation;
}

// Most schemas are used a few times: optimising their code would take longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Records the answer and validates it against the document. @throws Error for an undocumented answer */
export function checkAnswer(
  operation: Operation,
  { status, type, body }: { status: number; type: string; body: unknown },
): void {
  const { operationId, responses } = operation;
  const documented = responses[status] ?? (status >= 500 ? responses.default : undefined);
  if (!documented)
    throw new Error(`${operationId} answered ${status}, which is not documented: ${JSON.stringify(body)}`);
  seen.add(`${operationId} ${status}`);
  const content = documented.content ?? {};
  if (Object.keys(content).length === 0) {
    if (body !== '')
      throw new Error(`${operationId} ${status} is documented without a body, but had ${JSON.stringify(body)}`);
    return;
  }
  const media = content[type] as { schema?: object } | undefined;
  if (!media)
    throw new Error(`${operationId} ${status} came as ${type}, documented are ${Object.keys(content).join(', ')}`);
  const key = `${operationId} ${responses[status] ? status : 'default'} ${type}`;
  const { schema = {} } = media;
  const validate =
    compiled.get(key) ?? ajv.compile('contentSchema' in schema ? (schema.contentSchema as object) : schema);
  compiled.set(key, validate);
  if (!validate(body))
    throw new Error(`${operationId} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}
