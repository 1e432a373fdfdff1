import { expect } from 'chai';
import { issueOf, presentOf, type RequestedFormat } from '../../actors/presenters.ts';
import { VerificationFixture } from '../../actors/verification.ts';

type Field = [path: string, filter: object];

interface Scenario {
  name: string;
  format?: RequestedFormat;
  /** The credentials that are presented. */
  documents: () => Promise<string[]>;
  isDisclosed?: boolean;
  /** The fields of each descriptor, or the type of a generated one. */
  asked: (Field[] | string)[];
  vpPolicies?: string[];
  isAccepted: boolean;
}

const STRICT = ['signature', 'expired', 'not-before', 'presentation-definition'];
const ALONE = ['presentation-definition'];

const w3c = (type: string, credentialSubject: object, sd: string[] = []) => {
  const subject = { sd: false, children: { fields: Object.fromEntries(sd.map((name) => [name, { sd: true }])) } };
  return issueOf('jwt_vc_json', {
    document: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', type],
      credentialSubject,
    },
    ...(sd.length > 0 && { selectiveDisclosure: { fields: { credentialSubject: subject } } }),
  });
};

const degree = { degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } };
const plainDegree = async () => [await w3c('UniversityDegreeCredential', degree)];
const hiddenDegree = async () => [await w3c('UniversityDegree', degree, ['degree'])];
const withForm = async () => [
  ...(await hiddenDegree()),
  await w3c('VerifiablePortableDocumentA1', { section1: { sex: '01' } }, ['section1']),
];
const identity = async () => [
  await issueOf('vc+sd-jwt', {
    document: { is_over_65: true, given_name: 'Ada' },
    selectiveDisclosure: { fields: { is_over_65: { sd: true } } },
  }),
];

const text = (path: string, pattern: string): Field => [path, { type: 'string', pattern }];
const ofType = (pattern: string): Field => text('$.vc.type', pattern);
const ofDegree = (pattern: string): Field => text('$.vc.credentialSubject.degree.type', pattern);
const ofSex = (pattern: string): Field => text('$.vc.credentialSubject.section1.sex', pattern);
const isOver65 = (value: boolean): Field => ['$.is_over_65', { const: value }];
const identityType: Field = text('$.vct', 'https://types.example/identity');

const hidden = (asked: Field[], isDisclosed: boolean, isAccepted: boolean) => ({
  documents: hiddenDegree,
  asked: [asked],
  isDisclosed,
  isAccepted,
});

const SCENARIOS: Scenario[] = [
  { name: 'a type by its path', documents: plainDegree, asked: [[ofType('UniversityDegree')]], isAccepted: true },
  {
    name: 'a type at the path of the other data model',
    documents: plainDegree,
    asked: [[text('$.type', 'UniversityDegree')]],
    isAccepted: false,
  },
  {
    name: 'two types of which one is presented',
    documents: hiddenDegree,
    asked: ['UniversityDegree', 'PND91Credential'],
    vpPolicies: ALONE,
    isAccepted: false,
  },
  {
    name: 'a claim that is disclosed',
    ...hidden([ofType('UniversityDegree'), ofDegree('BachelorDegree')], true, true),
  },
  {
    name: 'a claim that is withheld',
    ...hidden([ofType('UniversityDegree'), ofDegree('BachelorDegree')], false, false),
  },
  { name: 'a claim with another value', ...hidden([ofDegree('potato')], true, false) },
  { name: 'a claim with any value, disclosed', ...hidden([ofDegree('.*')], true, true) },
  { name: 'a claim with any value, withheld', ...hidden([ofDegree('.*')], false, false) },
  {
    name: 'an SD-JWT VC by two descriptors',
    format: 'vc+sd-jwt',
    documents: identity,
    asked: [[identityType], [isOver65(true)]],
    vpPolicies: ALONE,
    isAccepted: true,
  },
  {
    name: 'an SD-JWT VC with another value',
    format: 'vc+sd-jwt',
    documents: identity,
    asked: [[identityType], [isOver65(false)]],
    vpPolicies: ALONE,
    isAccepted: false,
  },
  {
    name: 'two credentials of which one has another value',
    documents: withForm,
    asked: [[ofDegree('BachelorDegree')], [ofType('VerifiablePortableDocumentA1'), ofSex('XXX')]],
    isAccepted: false,
  },
  {
    name: 'two credentials that both satisfy their descriptors',
    documents: withForm,
    asked: [[ofDegree('BachelorDegree')], [ofType('VerifiablePortableDocumentA1'), ofSex('01')]],
    isAccepted: true,
  },
];

const withheld = (document: string): string => (document.includes('~') ? `${document.split('~')[0]}~` : document);

describe('submitPresentation: scenarios of presentation definitions', () => {
  const on = new VerificationFixture();

  for (const scenario of SCENARIOS)
    it(`${scenario.isAccepted ? '200' : '400'}: ${scenario.name}`, async () => {
      const { format = 'jwt_vc_json', asked, vpPolicies = STRICT, isDisclosed = true } = scenario;
      const request_credentials = asked.map((fields, index) =>
        typeof fields === 'string'
          ? { format, type: fields }
          : {
              format,
              input_descriptor: {
                id: `asked-${index}`,
                constraints: { fields: fields.map(([path, filter]) => ({ path: [path], filter })) },
              },
            },
      );
      const vc_policies = ['signature', 'expired', 'not-before'];
      const request = await on.ask({ request_credentials, vp_policies: vpPolicies, vc_policies });
      const documents = (await scenario.documents()).map((one) => (isDisclosed ? one : withheld(one)));
      const { token } = await presentOf(format, request, { documents, now: on.server.clock.now() });
      const ids = (await on.definition(request)).input_descriptors.map(({ id }: { id: string }) => id);
      const entries = ids.map((id: string, index: number) => ({
        ...{ id, format, path: '$' },
        ...(format === 'jwt_vc_json' && {
          path_nested: { id, format, path: `$.vp.verifiableCredential[${Math.min(index, documents.length - 1)}]` },
        }),
      }));
      const submission = { id: 's', definition_id: 'd', descriptor_map: entries };
      const form = { vp_token: token, presentation_submission: JSON.stringify(submission), state: request.state };
      const answer = await on.server.call('submitPresentation', { path: { state: request.state }, form });
      const session = await on.session(request);
      const got = [answer.status, session.verificationResult];
      expect(got, JSON.stringify([answer.body, session.policyResults])).to.deep.equal(
        scenario.isAccepted ? [200, true] : [400, false],
      );
    });
});
