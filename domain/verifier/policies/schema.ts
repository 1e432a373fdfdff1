import { invalidField, isDomainError } from '../../foundation/errors.ts';
import { isText } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { failed, type Policy, type PolicyPorts, passed } from './policy.ts';

/** The `schema` policy: the credential is valid against a JSON Schema (draft-07) given as `args`. */
export const schema: Policy = {
  description: 'Checks the credential against a JSON Schema (draft-07)',
  scopes: ['vp', 'vc'],
  readArgs,
  run: async ({ document }, { schemas, args }) => {
    const violations = (await schemas.compile(args))(document);
    if (violations.length === 0) return passed(args);
    const validationErrors = violations.map(({ path, schemaPath, message }) => ({
      schemaPath,
      objectPath: path,
      message,
    }));
    return failed({ type: 'JsonSchemaVerificationException', validationErrors });
  },
};

async function readArgs(args: unknown, { schemas }: PolicyPorts): Promise<unknown> {
  if (args === undefined) throw invalidField([], 'the policy schema needs a JSON Schema');
  try {
    const read = isText(args) ? parseJson(args) : args;
    await schemas.compile(read);
    return read;
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    throw invalidField([], error.message);
  }
}
