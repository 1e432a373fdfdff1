/** Writes openapi/types.ts from the joined OpenAPI document; with --check, fails when the committed file is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { joinDocuments, readDocuments } from './join-documents.mjs';

const target = new URL('../openapi/types.ts', import.meta.url);
const joined = joinDocuments(readDocuments());
const types = astToString(await openapiTS(joined, { emptyObjectsUnknown: true, silent: true }));
const documents = Object.entries(joined['x-documents']).map(
  ([name, { operations }]) =>
    `    ${JSON.stringify(name)}: Pick<operations, ${operations.map((operationId) => JSON.stringify(operationId)).join(' | ')}>;\n`,
);
const operationsThat = (isOne) =>
  Object.values(joined.paths)
    .flatMap((item) => Object.values(item))
    .filter(isOne)
    .map(({ operationId }) => JSON.stringify(operationId))
    .join(' | ');
const lateQueries = operationsThat((operation) => operation['x-late-query'] === true);
const lateBodies = operationsThat(({ security }) => security?.some((one) => 'accessToken' in one));
const text = `/** Generated from openapi/*.yaml by \`npm run types\`. Do not edit. */

/** The operations of each document. */
export interface documents {
${documents.join('')}}
/** The operations whose query is validated when the handler asks for it. */
export type lateQueries = ${lateQueries};
/** The operations whose body is read and validated when the handler asks for it. */
export type lateBodies = ${lateBodies};
${types}`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('openapi/types.ts is stale: run `npm run types` and commit it');
    process.exit(1);
  }
} else writeFileSync(target, text);
