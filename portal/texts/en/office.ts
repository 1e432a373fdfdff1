/** The frame of the office and its pages. */
export const office = {
  office: {
    label: 'Office',
    overview: 'Overview',
    logOut: 'Log out',
    elsewhere: 'Work elsewhere',
    service: 'Service',
    areas: {
      types: { name: 'Types', text: 'What your cards are called, what is on them and how they look.' },
      people: { name: 'People', text: 'Who works here, and what each may do.' },
      keys: { name: 'Keys', text: 'What your services sign with, here or in a cloud.' },
    },
    choose: {
      title: 'Where do you work?',
      none: 'Your account has no role yet. The administrator of your organization can give you one.',
      empty: 'There is no organization yet. Make the first one.',
      create: 'Make an organization',
    },
    organization: {
      title: 'Make an organization',
      name: 'Name',
      id: 'Short name',
      idHint: 'It stands in addresses and never changes: letters, digits, - and _.',
      button: 'Make it',
      taken: 'There is one with this short name already. Choose another one.',
    },
    home: {
      nothing: 'Your account may use none of these pages here. The administrator of your organization can allow it.',
      units: 'Units',
      setUpText: 'Nothing is set up here yet. A unit is what issues and checks: an office, a department, a school.',
      setUp: 'Set up a unit',
      finish: 'Some services are missing here.',
    },
    setUp: {
      title: 'Set up a unit',
      text: 'This makes everything that a unit needs to issue cards and to check them.',
      name: 'Name of the unit',
      nameHint: 'Such as Residents’ Registration Office.',
      button: 'Set it up',
      done: (name: string) => `${name} is ready`,
      made: 'This was made',
      services: {
        kms: 'Keys, which this server keeps',
        'credential-status': 'Status lists, so that cards can be revoked',
        issuer2: 'An issuer',
        verifier2: 'A verifier',
        'trust-registry': 'A list of issuers that you believe',
      } as Record<string, string>,
      next: 'Make the first type of card',
      toOverview: 'Go to the overview',
    },
  },
};
