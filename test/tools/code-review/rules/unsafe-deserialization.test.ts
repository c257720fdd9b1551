import { ruleCases } from "../cases.ts";

ruleCases("unsafe-deserialization", {
  javascript: {
    must: [
      "const serialize = require('node-serialize');\nserialize.unserialize(cookie);",
      "import { deserialize } from 'serialize-to-js';\ndeserialize(req.body.data);",
      "const yaml = require('js-yaml');\nyaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA });",
      "v8.deserialize(buffer)",
    ],
    mustNot: [
      "JSON.parse(text)",
      "const yaml = require('js-yaml');\nyaml.load(text);",
      "model.deserialize(json)",
    ],
  },
  python: {
    must: [
      "pickle.loads(data)",
      "import cPickle\ncPickle.load(handle)",
      "from pickle import loads\nloads(data)",
      "yaml.load(text)",
      "yaml.load(text, Loader=yaml.Loader)",
      "yaml.unsafe_load(text)",
      "marshal.loads(data)",
      "shelve.open(path)",
      "jsonpickle.decode(text)",
      "dill.loads(data)",
      "joblib.load(path)",
      "torch.load(path)",
      "np.load(path, allow_pickle=True)",
      "pd.read_pickle(path)",
    ],
    mustNot: [
      "json.loads(data)",
      "yaml.safe_load(text)",
      "yaml.load(text, Loader=yaml.SafeLoader)",
      "torch.load(path, weights_only=True)",
      "np.load(path)",
      "pickle.dumps(data)",
    ],
  },
  java: {
    must: [
      "Object value = new ObjectInputStream(stream).readObject();",
      "ObjectInputStream in = new ObjectInputStream(stream);\nObject value = in.readObject();",
      "XMLDecoder decoder = new XMLDecoder(stream);",
      "xstream.fromXML(text);",
      "SerializationUtils.deserialize(bytes);",
      "mapper.enableDefaultTyping();",
      "@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)\nprivate Object value;",
      "Object value = yaml.load(text);",
    ],
    mustNot: [
      "User user = mapper.readValue(text, User.class);",
      "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)\nprivate Object value;",
      "Yaml yaml = new Yaml(new SafeConstructor(options));",
      "private void readObject(ObjectInputStream in) throws IOException {\n  in.defaultReadObject();\n}",
    ],
  },
  ruby: {
    must: ["Marshal.load(data)", "YAML.load(params[:config])", "YAML.unsafe_load(text)", "Oj.load(text)"],
    mustNot: [
      "JSON.parse(data)",
      "YAML.safe_load(text)",
      "YAML.load(text, permitted_classes: [Date])",
      "Oj.load(text, mode: :strict)",
      "Marshal.dump(data)",
    ],
  },
  php: {
    must: [
      "<?php\n$user = unserialize($_COOKIE['user']);",
      "<?php\n$data = unserialize($text);",
      "<?php\nigbinary_unserialize($text);",
    ],
    mustNot: [
      "<?php\n$data = json_decode($text);",
      "<?php\n$data = unserialize($text, ['allowed_classes' => false]);",
      "<?php\n$text = serialize($data);",
    ],
  },
  csharp: {
    must: [
      "var formatter = new BinaryFormatter();",
      "object value = formatter.Deserialize(stream);",
      "new NetDataContractSerializer().ReadObject(reader);",
      "new LosFormatter().Deserialize(text);",
      "settings.TypeNameHandling = TypeNameHandling.All;",
      "var settings = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.Auto };",
      "new JavaScriptSerializer(new SimpleTypeResolver());",
      "var formatter = new SoapFormatter();",
      "new ObjectStateFormatter();",
    ],
    mustNot: [
      "var user = JsonSerializer.Deserialize<User>(text);",
      "settings.TypeNameHandling = TypeNameHandling.None;",
      "var serializer = new DataContractSerializer(typeof(User));",
      "JsonConvert.DeserializeObject<User>(text);",
    ],
  },
});
