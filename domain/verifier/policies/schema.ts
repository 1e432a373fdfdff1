import { invalidField, isDomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { type Argument, type Evaluate, failed, passed, policyWithArgs, type Subject } from './policy.ts';

const argument: Argument<unknown> = {
  schema: {
    description: 'A JSON Schema, as an object or as its text',
    type: ['object', 'boolean', 'string'],
    examples: [{ type: 'object', required: ['credentialSubject'] }],
  },
  member: 'schema',
  read: (args) => (isText(args) ? asField(() => parseJson(args)) : args),
  check: (args, { schemas }) => schemas.compile(args).catch(refuse),
};

const run: Evaluate<Subject, unknown> = async ({ document }, { schemas, args }) => {
  const violations = (await schemas.compile(args))(document);
  const [first] = violations;
  if (!first) return passed(args, { reason: 'It is valid against the JSON Schema' });
  const validationErrors = violations.map(({ path, schemaPath, message }) => ({
    schemaPath,
    objectPath: path,
    message,
  }));
  const reason = `${first.path === '' ? 'The document' : first.path} ${first.message}`;
  return failed('schema-mismatch', { reason, error: { type: 'JsonSchemaVerificationException', validationErrors } });
};

/** The `schema` policy: the credential or presentation is valid against a JSON Schema. */
export const schema = policyWithArgs({
  description: 'Checks the credential or presentation against a JSON Schema',
  argument,
  vp: run,
  vc: run,
});

function asField<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  throw isDomainError(error, 'BadRequest') ? invalidField([], error.message) : error;
}
