import { expect } from 'chai';
import { joinDocuments, readDocuments } from '../../../scripts/join-documents.mjs';

describe('the errors that follow from what an operation is', () => {
  const documents = readDocuments();
  const statusesOf = (method: string, operation: object, path = '/made'): string[] => {
    const made = { operationId: 'made', responses: { 200: { description: 'Done.' } }, ...operation };
    const document = { tags: [{ name: 'made' }], paths: { [path]: { [method]: made } } };
    const { paths } = joinDocuments({ ...documents, made: document });
    return Object.entries((paths as Record<string, Record<string, typeof made>>)[path]?.[method]?.responses ?? {}).map(
      ([status, answer]) => ('$ref' in answer ? `${status} ${String(answer.$ref).split('/').at(-1)}` : status),
    );
  };
  const query = [{ name: 'limit', in: 'query' }];
  const [target, wallet] = ['target', 'wallet'].map((name) => [{ name, in: 'path' }]);
  const json = { content: { 'application/json': {} } };
  const CASES: [what: string, method: string, operation: object, ...errors: string[]][] = [
    ['an open operation', 'get', {}, '400 BadRequest'],
    ['one that ignores what it does not know', 'get', { 'x-ignore-unknown': true }],
    ['with a query', 'get', { 'x-ignore-unknown': true, parameters: query }, '400 BadRequest'],
    ['with a limit', 'get', { 'x-rate-limit': 'a' }, '400 BadRequest', '429 TooManyRequests'],
    ['with a name in its path', 'get', { parameters: target }, '400 BadRequest', '404 NotFound'],
    [
      'of a wallet',
      'get',
      { parameters: wallet, security: [{ bearer: [] }] },
      '400 BadRequest',
      '401 Unauthorized',
      '403 Forbidden',
    ],
    ['that changes something', 'post', { security: [{}, { bearer: [] }] }, '400 BadRequest', '403 Forbidden'],
    ['of management', 'get', { 'x-management': true }, '400 BadRequest', '401 Unauthorized'],
    ['with a body', 'post', { requestBody: json }, '400 BadRequest', '413 PayloadTooLarge', '415 UnsupportedMediaType'],
    [
      'with a text',
      'post',
      { requestBody: { content: { 'text/plain': {} } } },
      '400 BadRequest',
      '413 PayloadTooLarge',
    ],
    [
      'with many lines',
      'post',
      { requestBody: { content: { 'application/x-ndjson': {} } } },
      '400 BadRequest',
      '415 UnsupportedMediaType',
    ],
  ];
  for (const [what, method, operation, ...errors] of CASES)
    it(`${what}: ${errors.join(', ') || 'none'}`, () => {
      expect(statusesOf(method, operation)).to.deep.equal(['200', ...errors, 'default Failure']);
    });

  it('an OAuth endpoint has its own errors, and an operation what it writes down itself', () => {
    const own = { responses: { 200: {}, 400: { description: 'Mine.' } }, 'x-oauth-errors': 'invalid_request' };
    expect(statusesOf('post', { ...own, requestBody: json })).to.deep.equal([
      '200',
      '400',
      '413 OAuthPayloadTooLarge',
      '415 OAuthUnsupportedMediaType',
      'default OAuthFailure',
    ]);
  });

  it('an operation whose names are always found answers no 404', () => {
    expect(statusesOf('get', { parameters: target, 'x-always-found': true })).to.deep.equal([
      '200',
      '400 BadRequest',
      'default Failure',
    ]);
  });

  it('an operation whose names are unknown to who may not see them answers no 403', () => {
    const security = [{ enterprise: [] }];
    expect(statusesOf('get', { parameters: target, security, 'x-never-forbidden': true })).to.deep.equal([
      '200',
      '400 BadRequest',
      '401 Unauthorized',
      '404 NotFound',
      'default Failure',
    ]);
  });
});
