/** Writes openapi/types.ts from the joined OpenAPI document; with --check, fails when the committed file is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { joinDocuments, LOGINS, readDocuments } from './join-documents.mjs';

const target = new URL('../openapi/types.ts', import.meta.url);
const joined = joinDocuments(readDocuments());
const operations = Object.values(joined.paths).flatMap((item) =>
  Object.values(item).filter(({ operationId }) => operationId),
);

const isError = ([status, answer]) => status === 'default' || (status >= 400 && answer.$ref);

/** What of an operation its handler is typed by: of the errors only those that the operation describes itself. */
const typedOperation = ({ callbacks: _, responses, ...operation }) => ({
  ...operation,
  responses: Object.fromEntries(Object.entries(responses).filter((entry) => !isError(entry))),
});

/** The document that is typed: without mounted operations, which have the types of their originals. */
function typedDocument() {
  const own = ([, part]) => !part['x-mounted'];
  const typed = ([key, part]) => [key, part.operationId ? typedOperation(part) : part];
  const items = Object.entries(joined.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).filter(own).map(typed)),
  ]);
  const paths = Object.fromEntries(items);
  const named = new Set(JSON.stringify(paths).match(/#\/components\/responses\/\w+/g));
  const { schemas, responses, parameters, requestBodies } = joined.components;
  const answers = Object.entries(responses).filter(([name]) => named.has(`#/components/responses/${name}`));
  const components = { schemas, responses: Object.fromEntries(answers), parameters, requestBodies };
  return { ...joined, paths, components };
}

/** The text without what the generator writes for every operation: comments, members that cannot be, empty objects. */
const concise = (text) =>
  text
    .replace(/\n *\/\*\*[\s\S]*?\*\//g, '')
    .replace(
      /\n +headers: \{(?:\n +"?[\w-]+"?\??: unknown;|\n +"?[\w-]+"?\??: \w+;|\n +\[name: string\]: unknown;)+\n +\};/g,
      '',
    )
    .replace(/\n +\w+\??: never;/g, '')
    .replace(/\{\s*\[key: string\]: unknown;\s*\}/g, '{ [key: string]: unknown }')
    .replace(/\n +(?:parameters|callbacks): \{\s*\};/g, '')
    .replace(/export (?:type (?:webhooks|\$defs) = .*|interface paths \{[\s\S]*?\n\})\n/g, '')
    .replace(/^( +)(.{120,})$/gm, (_, indent, line) => indent + line.replaceAll(' | ', `\n${indent}    | `));

/** Marks the type of a member that has a default: handlers always get it, callers may leave it out. */
function markDefault(property, schema) {
  if (schema.default === undefined) return undefined;
  const { modifiers, name, questionToken, type } = property;
  const marked = ts.factory.createTypeReferenceNode('Defaulted', [type]);
  return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, marked);
}
const options = { emptyObjectsUnknown: true, silent: true, transformProperty: markDefault };
const types = concise(astToString(await openapiTS(typedDocument(), options)));

const quoted = (names) => names.map((name) => JSON.stringify(name));
const list = (names, indent) =>
  quoted(names)
    .map((name) => `\n${indent}| ${name}`)
    .join('');
const documents = Object.entries(joined['x-documents']).map(
  ([name, part]) => `    ${JSON.stringify(name)}: Pick<operations,${list(part.operations, '        ')}>;\n`,
);
const operationsThat = (isOne) =>
  list(
    operations.filter(isOne).map(({ operationId }) => operationId),
    '    ',
  );
const hasLogin = (security) => security?.some((one) => LOGINS.some((login) => login in one));
const isNone = (requirement) => Object.keys(requirement).length === 0;
const permissions = operations
  .filter((operation) => operation['x-permission'])
  .map((operation) => `    ${operation.operationId}: "${operation['x-permission']}";\n`);
const mounts = operations
  .filter((operation) => operation['x-mounted'])
  .map((operation) => `    ${operation.operationId}: AtTarget<own["${operation['x-mounted']}"]>;\n`);
const paths = Object.entries(joined.paths).map(([path, item]) => {
  const methods = Object.entries(item).filter(([, { operationId }]) => operationId);
  const members = methods.map(([method, { operationId }]) => `${method}: operations["${operationId}"]`);
  return `    ${JSON.stringify(path)}: {\n        ${members.join(';\n        ')};\n    };\n`;
});
const text = `/** Generated from openapi/*.yaml by \`npm run types\`. Do not edit. */

/** The operations of each document. */
export interface documents {
${documents.join('')}}
/** The operations whose query is validated when the handler asks for it. */
export type lateQueries =${operationsThat((operation) => operation['x-late-query'] === true)};
/** The operations whose body is read and validated when the handler asks for it. */
export type lateBodies =${operationsThat(({ security }) => security?.some((one) => 'accessToken' in one))};
/** The operations that demand a login. */
export type logins =${operationsThat(({ security }) => hasLogin(security) && !security.some(isNone))};
/** The operations to which a login may be presented. */
export type optionalLogins =${operationsThat(({ security }) => hasLogin(security) && security.some(isNone))};
/** The permissions that operations need at their target. */
export interface permissions {
${permissions.join('')}}
/** The operations by path and method, as clients call them. */
export interface paths {
${paths.join('')}}
/** Never a member of a value. */
declare const hasDefault: unique symbol;
/** The mark of what has a default. */
export interface Default {
    readonly [hasDefault]: true;
}
/** A member that has a default where the caller leaves it out. */
export type Defaulted<T> = T | (T & Default);
/** An operation of another document, below a target. */
type AtTarget<O> = Omit<O, "parameters"> & {
    parameters: (O extends { parameters: infer P } ? Omit<P, "path"> : unknown) & { path: PathOf<O> & { target: string } };
};
type PathOf<O> = O extends { parameters: { path: infer P } } ? P : unknown;
export interface operations extends own {
${mounts.join('')}}
${types.replace('export interface operations {', 'interface own {')}`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('openapi/types.ts is stale: run `npm run types` and commit it');
    process.exit(1);
  }
} else writeFileSync(target, text);
