-- want: ^load: require-up\.lua:2: require: .*only files below the directory of the policy
require("/etc/passwd")
