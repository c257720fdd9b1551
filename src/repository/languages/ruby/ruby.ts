import type { Language } from "../language.ts";
import { readRuby } from "./read-ruby.ts";
import { rubyResolver } from "./resolve-ruby.ts";

export const ruby: Language = {
  name: "ruby",
  files:
    /(?:\.(?:rb|rake|gemspec|ru)|(?:^|\/)(?:Rakefile|Gemfile|Guardfile|Capfile|Vagrantfile|Podfile|Fastfile))$/,
  programs: ["ruby", "jruby", "truffleruby"],
  read: readRuby,
  resolver: rubyResolver,
};
